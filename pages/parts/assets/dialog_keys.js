// A dialog passes the focus from one field to the next by itself, and does not look into what is drawn in it. So a tree
// in a dialog counts there as one field, and passes the focus on among its own.

function fieldsOf(inside) {
  const found = inside.querySelectorAll("a[href], button, summary, [tabindex='0']")
  return [...found].filter((field) => field.checkVisibility())
}

function countAsField(inside) {
  if (!inside.host.closest("[role=dialog]")) return
  if (fieldsOf(inside).length) inside.host.tabIndex = 0
  else inside.host.removeAttribute("tabindex")
}

let isBackwards = false
document.addEventListener("keydown", ({ key, shiftKey }) => key === "Tab" && (isBackwards = shiftKey), { capture: true })

function passFocusOn(inside) {
  const { host } = inside
  host.addEventListener("focus", () => {
    // By keyboard alone: who presses the mouse on a text wants to be nowhere else.
    if (inside.activeElement || !host.matches(":focus-visible")) return
    fieldsOf(inside).at(isBackwards ? -1 : 0)?.focus()
  })
  inside.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || !host.hasAttribute("tabindex")) return
    const fields = fieldsOf(inside)
    const next = fields[fields.indexOf(inside.activeElement) + (event.shiftKey ? -1 : 1)]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  })
}

