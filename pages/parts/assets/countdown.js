const clocks = new WeakMap()

function tick(clock) {
  const left = Math.max(0, Math.ceil((clock.until - performance.now()) / 1000))
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
  const text = left ? clock.text.replace("{time}", time) : clock.over
  if (clock.said.textContent !== text) clock.said.textContent = text
}

export default function ({ parentElement, data }) {
  if (!clocks.has(parentElement)) clocks.set(parentElement, { until: 0, said: parentElement.querySelector(".said") })
  const clock = clocks.get(parentElement)
  const until = performance.now() + data.seconds * 1000
  // What comes a little late on its way here does not set the clock back.
  if (Math.abs(until - clock.until) > 1500) clock.until = until
  clock.text = data.text
  clock.over = data.over
  parentElement.querySelector(".countdown").lang = data.lang
  tick(clock)
  clearInterval(clock.timer)
  clock.timer = setInterval(tick, 200, clock)
  return () => clearInterval(clock.timer)
}
