"""The app as its script draws it, without a browser: whole, one page of it, or a script of a test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

APP = Path(__file__).resolve().parents[2] / "app.py"
_SECONDS = 120

# Each app looks through all installed packages for components of theirs, which takes a second: once does for all.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def whole_app() -> AppTest:
    """Return the app for an English reader."""
    return _english(AppTest.from_file(str(APP), default_timeout=_SECONDS))


def page_alone(name: str) -> AppTest:
    """Return one page for an English reader, as the first of an app, so that what is pressed reaches it."""
    return _english(AppTest.from_function(_page, default_timeout=_SECONDS, args=(str(APP.parent / "pages" / name),)))


def script(drawn: Callable[..., None], **given: object) -> AppTest:
    """Return what a function draws of what it is given, for an English reader; it imports all that it needs."""
    return _english(AppTest.from_function(drawn, default_timeout=_SECONDS, kwargs=given))


@contextmanager
def own_engine() -> Iterator[None]:
    """Let pages make an engine of their own, for the home that the environment names, and close it in the end."""
    st.cache_resource.clear()
    try:
        yield
    finally:
        st.cache_resource.clear()
        st.cache_data.clear()


def _english(at: AppTest) -> AppTest:
    at.context = {"locale": "en-GB", "timezone": "Europe/London"}
    return at


def _page(path: str) -> None:
    import streamlit as st

    from pages.parts.frame import run_app

    run_app(st.navigation([st.Page(path, default=True)], position="hidden"))


def shown(at: AppTest) -> str:
    """All text of the page that the script itself draws."""
    assert not at.exception
    parts = [*at.title, *at.header, *at.caption, *at.markdown, *at.error, *at.warning]
    return "\n".join(str(part.value) for part in parts)
