"""The one component of our own: shows a tree of `nodes` in the theme's colours and reports what was clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import streamlit as st

from pages.parts.nodes import Element
from research.language import Language

_ASSETS = Path(__file__).parent / "assets"
_HTML = """
<div class="view"></div>
<div class="card" popover="manual" role="dialog" tabindex="-1"></div>
"""

_mount = st.components.v2.component(
    "workbench_view",
    html=_HTML,
    css=(_ASSETS / "view.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "view.js").read_text(encoding="utf-8"),
)

_declare = st.components.v2.component(
    "workbench_language",
    html="""
<span hidden></span>
""",
    js="""
export default function ({ data }) {
  document.documentElement.lang = data
}
""",
)


def declare_language(language: Language) -> None:
    """Tell browser and screen reader in which language the interface speaks."""
    _declare(key="language", data=language.value, height=1)


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
        message = st.session_state[key].get("sent")
        if on_message is not None and isinstance(message, str):
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
