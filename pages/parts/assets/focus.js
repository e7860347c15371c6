// What has the focus may rest for a moment, as a button whose file is made: it has the focus again afterwards. Where it
// is gone with all around it, as when a run ends or begins, the title of the page has it, and not the top of everything.
const TITLE_AFTER = 400 // milliseconds: dialogs and menus give the focus back by themselves
let inFocus
let isResting = false
let shownThen
let titleDue

const whatStands = () => `${whatIsShown()} ${Boolean(document.querySelector(".st-key-finish_now"))}`

document.addEventListener("focusin", (event) => {
  inFocus = event.composedPath()[0]
  isResting = false
  shownThen = whatStands()
})
// Who presses beside everything wants the focus nowhere.
document.addEventListener("pointerdown", () => (inFocus = undefined), { capture: true })

function titleOf(main) {
  const drawn = [...main.querySelectorAll(".st-key-question *")].map(({ shadowRoot }) => shadowRoot)
  return [main, ...drawn].map((part) => part?.querySelector("h1")).find(Boolean)
}

function focusTitle() {
  titleDue = undefined
  const title = titleOf(document.querySelector("[data-testid=stMain]") ?? document.body)
  if (!isLost() || inFocus.isConnected || !title) return
  if (!title.hasAttribute("tabindex")) title.tabIndex = -1
  title.focus({ preventScroll: true })
}

const isLost = () => inFocus && document.activeElement === document.body

function giveBack() {
  // What rests keeps the focus for a moment longer: it may work again before that is seen to be gone.
  if (inFocus?.isConnected && inFocus.disabled) isResting = true
  else if (!isLost()) return
  else if (!inFocus.isConnected) {
    if (whatStands() !== shownThen) titleDue ??= setTimeout(focusTitle, TITLE_AFTER)
  } else if (isResting) inFocus.focus({ preventScroll: true })
}

const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] }
new MutationObserver(giveBack).observe(document.body, changes)
