// Tabs that do not all fit, as on a phone: the chosen one is in view, however it was chosen.
const CHECKED_AFTER = [600, 1_500] // milliseconds: what is drawn meanwhile may set the row back to its beginning
const placed = new WeakMap()
const watched = new WeakSet()

function showChosenTab(list) {
  const chosen = list.querySelector("[role=tab][aria-selected=true]")
  if (!chosen || placed.get(list) === chosen) return
  const isStill = !placed.has(list) || matchMedia("(prefers-reduced-motion: reduce)").matches
  placed.set(list, chosen)
  scrollToTab(list, chosen, isStill ? "instant" : "smooth")
  for (const wait of CHECKED_AFTER) setTimeout(() => isCutOff(list, chosen) && scrollToTab(list, chosen, "instant"), wait)
  for (const part of [list, ...list.querySelectorAll("[role=tab]")]) {
    if (!watched.has(part)) sizes.observe(part)
    watched.add(part)
  }
}

function scrollToTab(list, tab, behavior) {
  list.scrollTo({ left: tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2, behavior })
}

function isCutOff(list, tab) {
  if (!tab.isConnected || placed.get(list) !== tab) return false
  const [row, own] = [list.getBoundingClientRect(), tab.getBoundingClientRect()]
  return own.left < row.left || own.right > row.right
}

// A typeface that comes late, or another count in a name, moves the tabs.
const sizes = new ResizeObserver((changed) => {
  for (const list of new Set(changed.map(({ target }) => target.closest("[role=tablist]")))) {
    if (!list) continue
    placed.delete(list)
    showChosenTab(list)
  }
})

let isTabDue = false
new MutationObserver(() => {
  if (isTabDue) return
  isTabDue = true
  requestAnimationFrame(() => {
    isTabDue = false
    document.querySelectorAll("[role=tablist]").forEach(showChosenTab)
  })
}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-selected"] })
