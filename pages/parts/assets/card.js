// The card of a citation or a verdict: on hover and focus for a glance, on click or Enter to stay. Escape gives the focus back.
function cardOf(card, cards) {
  let anchor = null
  let pinned = false
  let timer = 0

  function place() {
    if (!anchor?.isConnected) return hide()
    const at = anchor.getBoundingClientRect()
    if (at.bottom < 0 || at.top > innerHeight) return hide()
    if (innerWidth <= 640) return card.matches(".above") || card.removeAttribute("style")
    const { width, height } = card.getBoundingClientRect()
    const below = at.bottom + 8 + height <= innerHeight || at.top < height + 8
    card.style.left = `${Math.max(12, Math.min(at.left - 24, innerWidth - width - 12))}px`
    card.style.top = `${below ? at.bottom + 8 : at.top - height - 8}px`
  }

  function show(target, pin) {
    clearTimeout(timer)
    const nodes = cards()[target.dataset.card]
    if (!nodes) return
    anchor?.setAttribute("aria-expanded", "false")
    anchor = target
    pinned = pin
    fill(card, nodes)
    card.classList.remove("above")
    card.ariaLabel = target.ariaLabel ?? target.innerText
    anchor.setAttribute("aria-expanded", "true")
    if (!card.matches(":popover-open")) card.showPopover()
    // What had the focus may have been moved out of sight by what came above it.
    if (pin) target.scrollIntoView({ block: "nearest" })
    place()
    if (pin) card.focus({ preventScroll: true })
    // On a phone the card covers the lower part of the page: what it belongs to moves out from under it; where the page
    // ends before that, the card covers the upper part.
    const isCovered = () => innerWidth <= 640 && target.getBoundingClientRect().bottom > innerHeight - card.offsetHeight
    if (isCovered()) target.scrollIntoView({ block: "start" })
    card.classList.toggle("above", isCovered())
    if (card.matches(".above")) card.style.maxHeight = `${target.getBoundingClientRect().top - 8}px`
  }

  function hide(refocus = false) {
    clearTimeout(timer)
    if (!anchor) return
    anchor.setAttribute("aria-expanded", "false")
    if (card.matches(":popover-open")) card.hidePopover()
    if (refocus) anchor.focus({ preventScroll: true })
    anchor = null
    pinned = false
  }

  const later = (action, wait) => {
    clearTimeout(timer)
    timer = setTimeout(action, wait)
  }
  return {
    show,
    hide,
    place,
    hover: (target) => !pinned && matchMedia("(hover: hover)").matches && later(() => show(target, false), 120),
    leave: () => !pinned && later(() => hide(), 220),
    stay: () => clearTimeout(timer),
    holds: (path) => path.includes(card) || path.includes(anchor),
    anchor: () => anchor,
    isPinned: () => pinned,
    isPinnedTo: (target) => pinned && anchor === target,
    isOpen: () => anchor !== null,
  }
}
