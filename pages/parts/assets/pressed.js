// A main button that was pressed shows at once that the page is at work: what the server says comes later. What is done
// within a moment may never have been seen to run.
const LATEST = 1500
let pressed

function rest() {
  pressed?.removeAttribute("aria-busy")
  pressed = undefined
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-testid=stButton] button[kind=primary]")
  if (!button || button.disabled) return
  rest()
  pressed = button
  button.setAttribute("aria-busy", "true")
  setTimeout(() => {
    if (pressed === button && document.querySelector("[data-test-script-state=notRunning]")) rest()
  }, LATEST)
}, true)

new MutationObserver((records) => {
  if (records.some(({ target }) => target.dataset.testScriptState === "notRunning")) rest()
}).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-test-script-state"] })
