// Shows Streamlit's own texts in the reader's language: whole texts and labels, changed in place, never markup.
const ATTRIBUTES = ["aria-label", "placeholder", "title"]
// Where the program's texts and the reader's stand: one that happens to read like Streamlit's is left as it is.
const NOT_ITS_OWN = "[data-testid=stMarkdownContainer], [data-testid=stHeading]"
const english = new Map()
let words = {}
let prefixes = []
let observer

function translated(text, kind) {
  const whole = text.trim()
  const known = kind + (english.get(kind + whole) ?? whole)
  const digits = known.match(/\d[\d.,]*/)?.[0]
  const found = words[known] ?? (digits && words[known.replace(digits, "#")]?.replace("#", digits))
  if (found) return found
  const prefix = prefixes.find((start) => known.startsWith(start) && known.length > start.length)
  return prefix && words[prefix] + known.slice(prefix.length)
}

function renewed(text, kind) {
  const shown = text && translated(text, kind)
  if (!shown || shown === text.trim()) return
  english.set(kind + shown.trim(), english.get(kind + text.trim()) ?? text.trim())
  return shown
}

function visit(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.parentElement?.closest(NOT_ITS_OWN)) return
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
  prefixes = Object.keys(data).filter((text) => text.endsWith(" "))
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
