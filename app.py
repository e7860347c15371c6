"""The workbench: navigation and language. Start it with `streamlit run app.py`."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.frame import navigation, run_app, show_recent_runs
from pages.parts.native_words import show_native_words
from pages.parts.session import SIGN, language_switch, logo, no_traceback, ui

st.set_page_config(
    page_title="Research workbench",
    page_icon=SIGN,
    layout="wide",
    menu_items={"About": "**Research workbench**: every claim can be checked."},
)
st.html(Path(__file__).parent / "pages" / "parts" / "assets" / "page.css")
reader = ui()
page = navigation(reader)
st.logo(logo(), size="large", icon_image=SIGN)
with no_traceback(reader):
    with st.sidebar:
        show_recent_runs(reader)
        language_switch()
        show_native_words(reader)
    run_app(page)
