// Tabs that do not all fit, as on a phone: the chosen one is in view, however it was chosen.
const placed = new WeakMap()
const watched = new WeakSet()

function showChosenTab(list) {
  const chosen = list.querySelector("[role=tab][aria-selected=true]")
  if (!chosen || placed.get(list) === chosen) return
  const isStill = !placed.has(list) || matchMedia("(prefers-reduced-motion: reduce)").matches
  placed.set(list, chosen)
  const left = chosen.offsetLeft - (list.clientWidth - chosen.offsetWidth) / 2
  list.scrollTo({ left, behavior: isStill ? "instant" : "smooth" })
  for (const part of [list, ...list.querySelectorAll("[role=tab]")]) {
    if (!watched.has(part)) sizes.observe(part)
    watched.add(part)
  }
}

// A typeface that comes late, or another count in a name, moves the tabs.
const sizes = new ResizeObserver((changed) => {
  for (const list of new Set(changed.map(({ target }) => target.closest("[role=tablist]")))) {
    if (!list) continue
    placed.delete(list)
    showChosenTab(list)
  }
})

const showChosenTabs = () => document.querySelectorAll("[role=tablist]").forEach(showChosenTab)

let isTabDue = false
new MutationObserver(() => {
  if (isTabDue) return
  isTabDue = true
  requestAnimationFrame(() => {
    isTabDue = false
    showChosenTabs()
  })
}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-selected"] })
showChosenTabs() // those that stood before this script came
