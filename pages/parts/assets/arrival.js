// A page stays in sight until the next has a title: between two, Streamlit has none, for as long as the server is busy.
const LONGEST = 3000 // milliseconds
const OVER_THE_PAGE = 768 // pixels of a window up to which the navigation lies over the page
let left
let leftUntil

const mainBlock = () => document.querySelector("[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock]")
const partsOf = (block) => [...block.children].filter((part) => part !== left)

function keep(records) {
  const block = mainBlock()
  const gone = records.filter(({ target }) => target === block).flatMap(({ removedNodes }) => [...removedNodes])
  if (!gone.length || partsOf(block).some((part) => part.offsetHeight)) return
  left = document.createElement("div")
  left.inert = true
  left.style.display = "contents"
  left.append(...gone)
  block.append(left)
  leftUntil = performance.now() + LONGEST
  requestAnimationFrame(look)
}

function letGo() {
  if (performance.now() < leftUntil && left.isConnected && !partsOf(mainBlock()).some((part) => titleOf(part))) return
  left.remove()
  left = undefined
}

// A title that a component draws comes without a change that is observed.
function look() {
  if (left) letGo()
  if (left) requestAnimationFrame(look)
}

// A page opens at its head, however far the one before it was scrolled, and not under the navigation that led to it.
const whatIsShown = () => {
  const asked = new URLSearchParams(location.search)
  return [location.pathname, asked.get("id"), asked.get("runs")].join()
}
let shownLast = whatIsShown()

new MutationObserver((records) => {
  if (left) letGo()
  else keep(records)
  if (left || whatIsShown() === shownLast) return
  shownLast = whatIsShown()
  document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0, behavior: "instant" })
  if (innerWidth > OVER_THE_PAGE) return
  document.querySelector("[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button")?.click()
}).observe(document.body, { subtree: true, childList: true })
