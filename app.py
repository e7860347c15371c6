"""The workbench: its door, navigation and language. Start it with `streamlit run app.py`.

Streamlit finds `app` and serves it; for each reader it then runs this file as a script, which draws the page.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import streamlit as st


def main() -> None:
    """Draw the page that the address names."""
    from pages.parts.accounts import Refused, account
    from pages.parts.engine import make_ready, note_login
    from pages.parts.frame import ask_to_log_in, navigation, run_app, show_account, show_recent_runs
    from pages.parts.native_words import show_native_words
    from pages.parts.ui import LOGO, SIGN, language_switch, no_traceback, ui

    st.set_page_config(
        page_title="Research workbench",
        page_icon=SIGN,
        layout="wide",
        menu_items={"About": "**Research workbench**: every claim can be checked."},
    )
    st.html(Path(__file__).parent / "pages" / "parts" / "assets" / "page.css")
    reader = ui()
    st.logo(LOGO, size="large", icon_image=SIGN)
    try:
        account()
    except Refused:
        navigation(reader, is_shown=False)  # Until then every way leads back here.
        ask_to_log_in(reader)
        return
    page = navigation(reader)
    with no_traceback(reader):
        note_login()
        with st.sidebar:
            show_recent_runs(reader)
            language_switch()
            show_native_words(reader)
            show_account(reader)
        run_app(page)
        make_ready()


if __name__ == "__main__":
    main()
else:
    from starlette.middleware import Middleware
    from starlette.routing import Route

    from pages.parts.accounts import Refused, check_start
    from pages.parts.door import HEALTH, Door, HealthPage
    from research.language import preferred
    from research.settings import secrets_of_all
    from research.store import logs_are_json, write_json

    if logs_are_json(os.environ):
        write_json(secrets_of_all)

    try:
        check_start()
    except Refused as refused:
        sys.exit(refused.text.in_(preferred(os.environ.get("LANG"))))
    app = st.App(__file__, routes=[Route(HEALTH, HealthPage().answer)], middleware=[Middleware(Door)])
