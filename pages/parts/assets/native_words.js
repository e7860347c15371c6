// Shows Streamlit's own texts in the reader's language: whole texts and labels, changed in place, never markup.
const ATTRIBUTES = ["alt", "aria-label", "placeholder", "title"]
// Where the program's texts and the reader's stand: one that happens to read like Streamlit's is left as it is.
const NOT_ITS_OWN = "textarea, [data-testid=stMarkdownContainer], [data-testid=stHeading], canvas"
// Where Streamlit sets words of its own in the same way.
const YET_ITS_OWN = "[data-testid=stFileUploaderDropzone], [data-testid=stTooltipErrorContent]"
const HOLES = { "#": "(\\d[\\d.,]*)", "*": "(.+)" }
const english = new Map()
let words = {}
let patterns = []
let observer

function pattern([text, said]) {
  const shape = text.split(/([#*])/).map((part) => HOLES[part] ?? part.replace(/[^\w\s]/g, "\\$&")).join("")
  return [new RegExp(`^${shape}$`), said]
}

function translated(text, kind) {
  const whole = text.trim()
  const known = kind + (english.get(kind + whole) ?? whole)
  if (known in words) return words[known]
  for (const [shape, said] of patterns) {
    const held = known.match(shape)?.slice(1)
    if (held) return said.replace(/[#*]/g, () => held.shift())
  }
}

function renewed(text, kind) {
  const shown = text && translated(text, kind)
  if (!shown || shown.trim() === text.trim()) return
  english.set(kind + shown.trim(), english.get(kind + text.trim()) ?? text.trim())
  return shown
}

function visit(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    const at = node.parentElement
    if (at?.closest(NOT_ITS_OWN) && !at.closest(YET_ITS_OWN)) return
    const shown = renewed(node.data, "")
    if (shown) node.data = shown
    return
  }
  if (node.nodeType !== Node.ELEMENT_NODE || node.closest("style, script, textarea")) return
  for (const name of ATTRIBUTES) label(node, name)
  node.childNodes.forEach(visit)
}

function label(node, name) {
  const text = node.getAttribute(name)
  const shown = renewed(text, "@") ?? renewed(text, "")
  if (shown) node.setAttribute(name, shown)
}

export default function ({ data }) {
  words = data
  patterns = Object.entries(data).filter(([text]) => /[#*]/.test(text)).map(pattern)
  if (!observer) {
    observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes, attributeName } of records) {
        if (type === "childList") addedNodes.forEach(visit)
        else if (type === "attributes") label(target, attributeName)
        else visit(target)
      }
    })
    const subtree = { subtree: true, childList: true, characterData: true }
    observer.observe(document.body, { ...subtree, attributes: true, attributeFilter: ATTRIBUTES })
  }
  visit(document.body)
}
