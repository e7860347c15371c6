// The table of contents: an entry leads to its heading, and the section that is being read is marked.
function headingOf(root, name) {
  return root.querySelector(`[id="${CSS.escape(name)}"]`) ?? document.getElementById(name)
}

function goto(root, entry) {
  const heading = headingOf(root, entry.dataset.goto)
  if (!heading) return
  entry.closest("details")?.removeAttribute("open")
  heading.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" })
  if (!heading.hasAttribute("tabindex")) heading.tabIndex = -1 // a heading of the framework's own
  heading.focus({ preventScroll: true })
  markCurrent(root)
}

// The last sections may be too short to come up to the top: at the end it is the one gone to, or the last.
function isAtEnd() {
  const page = document.querySelector(".stMain")
  return page.scrollTop > 0 && page.scrollTop + page.clientHeight >= page.scrollHeight - 2
}

function atEnd(root, entries) {
  return entries.find((entry) => headingOf(root, entry.dataset.goto)?.matches(":focus")) ?? entries.at(-1)
}

function markCurrent(root) {
  const entries = [...root.querySelectorAll("[data-goto]")]
  const isRead = (entry) => headingOf(root, entry.dataset.goto)?.getBoundingClientRect().top < innerHeight * 0.3
  const current = (isAtEnd() ? atEnd(root, entries) : entries.findLast(isRead))?.dataset.goto
  for (const entry of entries) {
    if (entry.dataset.goto === current) entry.setAttribute("aria-current", "location")
    else entry.removeAttribute("aria-current")
  }
}
