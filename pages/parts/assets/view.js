// Shows a tree of elements and keeps it up to date. Text becomes text nodes and nothing else: no HTML is ever parsed.

const TAGS = new Set(
  ("a article aside b blockquote br button caption code dd del details div dl dt em figure footer h1 h2 h3 h4 h5 h6 header " +
    "hr i kbd li mark nav ol p pre progress s section small span strong sub summary sup table tbody td tfoot th thead time tr ul").split(" "),
)
const ATTRIBUTES = new Set("class datetime dir href id lang max open rel role scope start tabindex target title translate type value".split(" "))
const shown = new WeakMap()

function mayHave(name, value) {
  if (name === "href") return /^(https?:\/\/|\.\/)/i.test(value)
  return ATTRIBUTES.has(name) || name.startsWith("aria-") || name.startsWith("data-")
}

function setAttributes(element, before, after) {
  for (const name of Object.keys(before)) if (!(name in after)) element.removeAttribute(name)
  for (const [name, value] of Object.entries(after)) {
    if (before[name] !== value && mayHave(name, value)) element.setAttribute(name, value)
  }
  // What opens by itself is closed by nobody but the reader, who may be in the middle of it.
  if ("data-opens" in after && !("data-opens" in before)) element.open = true
  // Another page of a list is read from its top, and asked for below its end.
  const isTurned = "data-page" in before && before["data-page"] !== after["data-page"]
  if (isTurned && element.getBoundingClientRect().top < 0) element.scrollIntoView({ block: "start" })
}

function create(node) {
  if (typeof node === "string") return document.createTextNode(node)
  const element = document.createElement(TAGS.has(node[0]) ? node[0] : "span")
  shown.set(element, [node[0], {}, [], node[3]])
  update(element, node)
  return element
}

function update(element, node) {
  if (typeof node === "string") {
    if (element.data !== node) element.data = node
    return
  }
  // Only what changed is touched, so that what the reader opened, selected or focused stays as it is.
  setAttributes(element, shown.get(element)[1], node[1])
  fill(element, node[2])
  shown.set(element, node)
}

function fits(child, node) {
  if (!child) return false
  if (typeof node === "string") return child.nodeType === Node.TEXT_NODE
  const known = shown.get(child)
  return Boolean(known) && known[0] === node[0] && known[3] === node[3]
}

function fill(parent, nodes) {
  const wanted = new Set(nodes.map((node) => typeof node !== "string" && node[3]))
  const keyed = new Map()
  for (const child of [...parent.childNodes]) {
    const key = shown.get(child)?.[3]
    if (!key) continue
    // What has gone goes first: nothing has to be moved past it then, which would cost the focus.
    if (wanted.has(key)) keyed.set(key, child)
    else child.remove()
  }
  let cursor = parent.firstChild
  for (const node of nodes) {
    const candidate = (typeof node !== "string" && node[3] && keyed.get(node[3])) || cursor
    const child = fits(candidate, node) ? candidate : create(node)
    if (child === cursor) cursor = cursor.nextSibling
    else parent.insertBefore(child, cursor)
    update(child, node)
  }
  while (cursor) {
    const next = cursor.nextSibling
    cursor.remove()
    cursor = next
  }
}

// Of presses that come while the server is busy it hears only the last one: so each tells of those before it as well.
const TOLD_SECONDS = 5

function telling(latest) {
  let told = []
  return (message) => {
    const now = performance.timeOrigin + performance.now()
    told = [...told.filter(([at]) => at > now - TOLD_SECONDS * 1_000), [now, message]]
    latest.send(told)
  }
}

const mounted = new WeakMap()

function mount(parentElement) {
  parentElement.adoptedStyleSheets = [style]
  const root = parentElement.querySelector(".view")
  const latest = { cards: {}, send: () => {} }
  const tell = telling(latest)
  const card = cardOf(parentElement.querySelector(".card"), () => latest.cards)
  const opener = (event) => event.composedPath().find((node) => node.dataset?.card)
  const button = (event) => event.composedPath().find((node) => node.dataset?.send)
  const entry = (event) => event.composedPath().find((node) => node.dataset?.goto)

  passFocusOn(parentElement)
  parentElement.addEventListener("click", (event) => {
    const target = opener(event)
    if (target) return card.isPinnedTo(target) ? card.hide() : card.show(target, true)
    if (entry(event)) return goto(root, entry(event))
    const message = button(event)?.dataset.send
    if (!message || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    comesFrom(card.anchor() ?? button(event), parentElement.host) // not every browser gives the focus to what is pressed
    card.hide(true)
    if (message !== "close") tell(message)
  })
  const glanced = (event) => [opener(event)].find((target) => target && !("calm" in target.dataset)) // a menu opens on click alone
  root.addEventListener("mouseover", (event) => (glanced(event) ? card.hover(glanced(event)) : undefined))
  root.addEventListener("mouseout", (event) => (glanced(event) ? card.leave() : undefined))
  root.addEventListener("focusin", (event) => !isGivenBack && glanced(event)?.matches(":focus-visible") && !card.isPinned() && card.show(glanced(event), false))
  root.addEventListener("focusout", (event) => (glanced(event) ? card.leave() : undefined))
  parentElement.querySelector(".card").addEventListener("mouseenter", card.stay)
  parentElement.querySelector(".card").addEventListener("mouseleave", card.leave)

  const leaving = new AbortController()
  const options = { signal: leaving.signal, capture: true }
  document.addEventListener("keydown", (event) => event.key === "Escape" && card.isOpen() && card.hide(true), options)
  document.addEventListener("pointerdown", (event) => !card.holds(event.composedPath()) && card.hide(), options)
  let scrolled = 0
  const onScroll = () => {
    if (card.isOpen()) card.place()
    if (scrolled || !root.querySelector("[data-goto]")) return
    scrolled = requestAnimationFrame(() => {
      scrolled = 0
      markCurrent(root)
    })
  }
  window.addEventListener("scroll", onScroll, { ...options, passive: true })
  return { root, latest, leave: () => leaving.abort() }
}

// What comes while the reader is on the page, as an answer, comes into view; what was there before stays where it is.
function bringArrived(root, isFirst) {
  for (const arrived of root.querySelectorAll("[data-arrives]:not([data-scrolled])")) {
    arrived.setAttribute("data-scrolled", "")
    if (isFirst) continue
    const isLong = arrived.offsetHeight > innerHeight * 0.75
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches
    arrived.scrollIntoView({ block: isLong ? "start" : "nearest", behavior: isStill ? "instant" : "smooth" })
  }
}

function show({ parentElement, data, setTriggerValue }) {
  const isFirst = !mounted.has(parentElement)
  if (isFirst) mounted.set(parentElement, mount(parentElement))
  const { root, latest, leave } = mounted.get(parentElement)
  latest.cards = data.cards
  latest.send = (messages) => setTriggerValue("sent", messages)
  // The card stands beside the tree; a Japanese one ends its lines with phrases as well.
  for (const part of [root, parentElement.querySelector(".card")]) if (part.lang !== data.lang) part.lang = data.lang
  const focused = parentElement.activeElement
  const around = focused?.closest("li[tabindex]")
  const place = [...root.querySelectorAll("li[tabindex]")].indexOf(around)
  fill(root, data.tree)
  countAsField(parentElement)
  // What had the focus may have gone, as an offer that was taken; what it belonged to gets it, or what came in its place.
  if (around && !focused.isConnected) {
    const left = [...root.querySelectorAll("li[tabindex]")]
    const heir = around.isConnected ? around : left[Math.min(place, left.length - 1)]
    heir?.focus({ preventScroll: true })
  }
  markCurrent(root)
  bringArrived(root, isFirst)
  for (const mark of root.querySelectorAll("[data-scroll]:not([data-scrolled])")) {
    mark.setAttribute("data-scrolled", "")
    mark.scrollIntoView({ block: mark.dataset.scroll || "center" })
  }
  // What a redraw has overtaken is told to leave as well, although its place is still there.
  return () => root.isConnected || leave()
}

// This file comes once to a page, in a component that shows nothing; those that show trees wait for it (see component.py).
const style = new CSSStyleSheet()

export default function ({ data }) {
  style.replaceSync(data.style)
  document.documentElement.lang = data.lang
  // What floats over the page stands outside the app, and is to be as light or dark as it.
  document.documentElement.style.colorScheme = getComputedStyle(document.querySelector(".stApp")).colorScheme
  globalThis.workbench ??= Promise.withResolvers()
  globalThis.workbench.resolve(show)
}
