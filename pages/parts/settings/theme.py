"""Light or dark."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.ui import Ui

_THEMES = ("System", "Light", "Dark")
_HTML = "<fieldset><legend></legend>{choices}</fieldset>".format(
    choices="".join(
        f'<label><input type="radio" name="theme" value="{theme}"><span></span></label>' for theme in _THEMES
    )
)
_CSS = """
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; font: 400 0.875rem / 1.5 var(--st-font); }
legend { float: left; width: 100%; padding: 0; margin-bottom: 0.4rem; font-weight: 600; color: var(--st-text-color); }
label { cursor: pointer; position: relative; }
input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
span {
  display: block; padding: 0.35rem 0.9rem; border: 1px solid var(--st-border-color); margin-left: -1px;
  color: var(--st-text-color); background: var(--st-background-color); word-break: keep-all;
}
label:first-of-type span { margin-left: 0; border-radius: 8px 0 0 8px; }
label:last-of-type span { border-radius: 0 8px 8px 0; }
label:hover span { color: var(--st-primary-color); }
input:checked + span {
  position: relative; color: var(--st-primary-color); border-color: var(--st-primary-color);
  background: color-mix(in srgb, var(--st-primary-color) 10%, var(--st-background-color));
}
input:focus-visible + span { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
"""

_mount = st.components.v2.component(
    "workbench_theme",
    html=_HTML,
    css=_CSS,
    js=(Path(__file__).parents[1] / "assets" / "settings_theme.js").read_text(encoding="utf-8"),
)


def show_theme(paths: list[str], reader: Ui) -> None:
    """Show the choice; it holds on the pages at `paths`, from the root of the workbench on, which load with it."""
    themes = (reader._("As the system has it"), reader._("Light"), reader._("Dark"))
    names = dict(zip(_THEMES, themes, strict=True))
    data = {"name": reader._("Light or dark"), "themes": names, "paths": paths, "lang": reader.language.value}
    _mount(key="theme", data=data)
