// A page opens at its head, however far the one before it was scrolled.
const whatIsShown = () => {
  const asked = new URLSearchParams(location.search)
  return [location.pathname, asked.get("id"), asked.get("runs")].join()
}
let shownLast = whatIsShown()

new MutationObserver(() => {
  if (whatIsShown() === shownLast) return
  shownLast = whatIsShown()
  document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0, behavior: "instant" })
}).observe(document.body, { subtree: true, childList: true })
