// What floats over the page (menus, popovers, dialogs) and the keyboard. The framework loses the focus with what had it,
// and leads into no popover; here it comes in, and goes back to where it came from.
const FLOATING = "[role=dialog], [role=menu]"
let cameFrom = null
let isGivenBack = false

function isFloating(node) {
  return node instanceof Element && (node.matches(FLOATING) || node.querySelector(FLOATING) !== null)
}

function giveBackFocus() {
  if (document.activeElement !== document.body || document.querySelector(FLOATING)) return
  isGivenBack = true
  cameFrom?.focus({ preventScroll: true })
  isGivenBack = false
}

function comesFrom(field, host) {
  if (!host.closest(FLOATING)) cameFrom = field
}

document.addEventListener("focusin", (event) => {
  comesFrom(event.composedPath()[0], event.target)
  // A menu that is opened by keyboard marks its first entry, but does not listen until the entry has the focus.
  if (event.target.matches("[role=menu]")) {
    requestAnimationFrame(() => event.target.querySelector("[data-focus-visible]")?.focus())
  }
})

new MutationObserver((records) => {
  const hasGone = records.some(({ removedNodes }) => [...removedNodes].some(isFloating))
  if (hasGone) requestAnimationFrame(giveBackFocus)
}).observe(document.body, { childList: true, subtree: true })

// The fields of an open popover follow its button, although they stand at the end of the document. While the focus is
// elsewhere the framework takes them out of the order, and notes with each what it had there.
function fieldsIn(popover) {
  const found = popover.querySelectorAll("a[href], button, input, select, textarea, [tabindex]")
  const isInOrder = (field) => field.tabIndex >= 0 || "tabindex" in field.dataset
  return [...found].filter((field) => isInOrder(field) && !field.disabled && field.checkVisibility())
}

document.addEventListener("keydown", (event) => {
  const popover = document.querySelector("[data-testid=stPopoverBody]")
  if (event.key !== "Tab" || event.defaultPrevented || !popover) return
  const button = document.querySelector("[data-testid=stPopoverButton][aria-expanded=true]")
  const fields = fieldsIn(popover)
  if (document.activeElement === button && !event.shiftKey && fields.length) {
    event.preventDefault()
    fields[0].focus()
  } else if (document.activeElement === fields.at(0) && event.shiftKey) {
    event.preventDefault()
    button?.focus()
  } else if (document.activeElement === fields.at(-1) && !event.shiftKey) {
    button?.focus() // the browser goes on from here
  }
})

// An open popover does not lie over what has the focus: it closes when the keyboard comes to what stands under it.
document.addEventListener("focusin", (event) => {
  const popover = document.querySelector("[data-testid=stPopoverBody]")
  const button = document.querySelector("[data-testid=stPopoverButton][aria-expanded=true]")
  const focused = event.composedPath()[0]
  if (!popover || popover.contains(focused) || focused === button || !focused.matches(":focus-visible")) return
  if (event.target.closest(FLOATING)) return
  const [over, under] = [popover.getBoundingClientRect(), focused.getBoundingClientRect()]
  const isBeside = under.right <= over.left || under.left >= over.right || under.bottom <= over.top || under.top >= over.bottom
  if (!isBeside) button?.click()
})
