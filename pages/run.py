"""One run: live while it is under way, then its report."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.frame import enter
from pages.parts.library.run_nodes import title
from pages.parts.live import live_run
from pages.parts.live.run_state import is_running
from pages.parts.report import finished_run, source_drawer
from pages.parts.report.header_nodes import headline
from pages.parts.session import SIGN
from pages.parts.ui import Ui
from research.errors import UsageError
from research.runs.model import RunSummary


def main() -> None:
    """Show the page."""
    reader = enter()
    run = _asked_for()
    if run is None:
        _unknown(reader)
        return
    st.set_page_config(page_title=title(run.name), page_icon=SIGN, layout="wide")
    component.show(headline(run), key="question", language=run.brief.language)
    if is_running(run.id):
        live_run.show(run, reader)
    else:
        finished_run.show(run, reader)
    source_drawer.show(run.id, reader)


def _asked_for() -> RunSummary | None:
    """Return the run named in the address."""
    try:
        return engine().store.get(st.query_params.get("id", ""))
    except UsageError:
        return None


def _unknown(reader: Ui) -> None:
    st.title(reader._("Run"), anchor=False)
    st.warning(reader._("There is no such run. It may have been deleted."), icon=":material/search_off:")
    st.page_link("pages/runs.py", label=reader._("All runs"), icon=":material/history:")


main()
