"""The one component of our own: shows a tree of `nodes` in the theme's colours and reports what was clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from pages.parts.nodes import Element
from research.language import Language

_TOLD = TypeAdapter(list[tuple[float, str]])
_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = ("floating.js", "tabs.js", "dialog_keys.js", "card.js", "contents.js", "view.js")
"""One module in several files, in this order."""
_STYLES = (
    "base", "research", "report", "lists", "plan", "settings", "library", "reading", "sources", "brief", "live"
)  # fmt: skip
"""One style sheet in several files; of two rules that say as much, the later holds."""
_HTML = """
<div class="view"></div>
<div class="card" popover="manual" role="dialog" tabindex="-1"></div>
"""

_deliver = st.components.v2.component(
    "workbench_assets",
    html="""
<span hidden></span>
""",
    js="\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in _SCRIPTS),
)
_STYLE = "\n".join((_ASSETS / "view" / f"{name}.css").read_text(encoding="utf-8") for name in _STYLES)

# What a component is made of travels with every redraw, so all of it but this comes to a page once.
_mount = st.components.v2.component(
    "workbench_view",
    html=_HTML,
    js="""
export default async (component) => {
  globalThis.workbench ??= Promise.withResolvers()
  return (await globalThis.workbench.promise)(component)
}
""",
)


def deliver(language: Language) -> None:
    """Bring the browser what every `show` draws with, and tell it in which language the interface speaks."""
    _deliver(key="assets", data={"style": _STYLE, "lang": language.value}, height=1)


def show(
    tree: Iterable[Element],
    *,
    key: str,
    language: Language,
    cards: Mapping[str, Iterable[Element]] | None = None,
    on_message: Callable[[str], None] | None = None,
) -> None:
    """Show `tree`, whose text is in `language`.

    `cards` holds what an element with `data-card` opens, under that name. `on_message` is called with the
    message of a `nodes.sender` that was pressed, before the page runs again.
    """

    def sent() -> None:
        for message in _unheard(key):
            if on_message is not None:
                on_message(message)

    _mount(
        key=key,
        data={
            "tree": [element.to_data() for element in tree],
            "cards": {name: [element.to_data() for element in card] for name, card in (cards or {}).items()},
            "lang": language.value,
        },
        on_sent_change=sent,
    )


def _unheard(key: str) -> list[str]:
    """Return the messages that came with the last press and were not heard yet, in the order of the presses.

    A press tells of those shortly before it as well, each with its moment: while a run of the page is due, Streamlit
    keeps only the last thing that a component sent.
    """
    heard = f"{key} heard until"
    try:
        told = _TOLD.validate_python(st.session_state[key].get("sent"))
    except ValidationError:
        return []  # a browser sent what no button sends
    fresh = [(at, message) for at, message in told if at > st.session_state.get(heard, 0.0)]
    st.session_state[heard] = max((at for at, _ in fresh), default=st.session_state.get(heard, 0.0))
    return [message for _, message in fresh]
