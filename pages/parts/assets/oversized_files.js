// Names the files that are too large for a field: it shows them no longer than until the others have arrived.
let latest

function look({ target, dataTransfer }) {
  const { data } = latest
  const selector = `.st-key-${data.field}`
  const field = target.closest?.(selector)
  const files = [...(dataTransfer?.files ?? target.files ?? [])]
  const large = files.filter(({ size }) => size > data.largest)
  if (!field || !large.length) return
  const isSending = field.querySelector("[data-testid=stFileUploaderFile]") !== null
  const alone = large.length === files.length && !isSending
  const tell = () => latest.setTriggerValue("told", [data.field, alone, large.map(({ name, size }) => [name, size])])
  if (alone) tell()
  else whenGone(selector, tell)
}

// The field begins anew when the others have arrived. Before that nothing is said: Streamlit tells the browser where
// to send a file, and forgets what it has not told yet as soon as it hears of anything else; that file never came.
function whenGone(selector, act) {
  const timer = setInterval(() => {
    if (document.querySelector(selector)) return
    clearInterval(timer)
    act()
  }, 50)
}

export default function (component) {
  if (!latest) for (const kind of ["change", "drop"]) document.addEventListener(kind, look, true)
  latest = component
  component.parentElement.querySelector("span").dataset.field = component.data.field
}
