// Tabs that do not all fit, as on a phone: the chosen one is in view, however it was chosen.
const placed = new WeakMap()

function showChosenTab(list) {
  const chosen = list.querySelector("[role=tab][aria-selected=true]")
  if (!chosen || placed.get(list) === chosen) return
  const isNew = !placed.has(list)
  placed.set(list, chosen)
  const middle = chosen.offsetLeft - (list.clientWidth - chosen.offsetWidth) / 2
  const isStill = isNew || matchMedia("(prefers-reduced-motion: reduce)").matches
  list.scrollTo({ left: middle, behavior: isStill ? "instant" : "smooth" })
}

let isTabDue = false
new MutationObserver(() => {
  if (isTabDue) return
  isTabDue = true
  requestAnimationFrame(() => {
    isTabDue = false
    document.querySelectorAll("[role=tablist]").forEach(showChosenTab)
  })
}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-selected"] })
