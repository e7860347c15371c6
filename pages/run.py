"""One run: live while it is under way, then its report."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine, is_running
from pages.parts.frame import enter
from pages.parts.library.runs import title
from pages.parts.live.run import show_live_run
from pages.parts.nodes import show_nodes
from pages.parts.report.finished import show_finished_run
from pages.parts.report.head import headline
from pages.parts.report.sources import show_source_drawer
from pages.parts.ui import SIGN, Ui
from research.core import UsageError
from research.store import RunSummary


def main() -> None:
    """Show the page."""
    reader = enter()
    run = _asked_for()
    if run is None:
        _unknown(reader)
        return
    st.set_page_config(page_title=title(run.name), page_icon=SIGN, layout="wide")
    show_nodes(headline(run), key="question", language=run.brief.language)
    if is_running(run.id):
        show_live_run(run, reader)
    else:
        show_live_run(run, reader, has_ended=True)
        show_finished_run(run, reader)
    show_source_drawer(run.id, reader)


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
