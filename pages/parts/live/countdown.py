"""A clock that counts down in the browser, so that it moves evenly however seldom the page asks for news."""

from __future__ import annotations

import streamlit as st

from research.language import Language

_HTML = """
<div class="countdown" role="timer"><span class="icon" aria-hidden="true" translate="no">schedule</span><span class="said"></span></div>
"""  # noqa: E501 - white space would be shown
_CSS = """
.countdown {
  display: flex; align-items: baseline; gap: 0.45em; padding: 0.2rem 0;
  font: 400 0.875rem / 1.5 var(--st-font); font-variant-numeric: tabular-nums; color: var(--st-gray-text-color);
}
.icon {
  font-family: "Material Symbols Rounded"; font-size: 1.15em; line-height: 1; font-feature-settings: "liga"; flex: none;
  align-self: start; margin-top: 0.15em;
}
"""
_JS = """
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
"""

_mount = st.components.v2.component("workbench_countdown", html=_HTML, css=_CSS, js=_JS)


def show(seconds: float, text: str, over: str, *, key: str, language: Language) -> None:
    """Show `text`, in which `{time}` counts down from `seconds`, and `over` when it has."""
    _mount(key=key, data={"seconds": max(0.0, seconds), "text": text, "over": over, "lang": language.value})
