// Names the files that are too large for a field: it shows them no longer than until the others have arrived.
let latest

function look({ target, dataTransfer }) {
  const { data, setTriggerValue } = latest
  const field = target.closest?.(`.st-key-${data.field}`)
  const files = [...(dataTransfer?.files ?? target.files ?? [])]
  const large = files.filter(({ size }) => size > data.largest)
  if (!field || !large.length) return
  const isSending = field.querySelector("[data-testid=stFileUploaderFile]") !== null
  const alone = large.length === files.length && !isSending
  setTriggerValue("told", [data.field, alone, large.map(({ name, size }) => [name, size])])
}

export default function (component) {
  if (!latest) for (const kind of ["change", "drop"]) document.addEventListener(kind, look, true)
  latest = component
  component.parentElement.querySelector("span").dataset.field = component.data.field
}
