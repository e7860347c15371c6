"""One run: live while it is under way, then its report."""

from __future__ import annotations

import streamlit as st

from pages.parts import component, finished_run, live_run, plan_panel, source_drawer
from pages.parts.engine import engine
from pages.parts.frame import enter
from pages.parts.nodes import Element, el, group
from pages.parts.run_nodes import title
from pages.parts.run_state import is_running
from pages.parts.session import SIGN
from pages.parts.ui import Ui
from research.errors import UsageError
from research.runs.model import RunSummary

_LONG = 180  # characters from which a question is shown as a text instead of as a title


def main() -> None:
    """Show the page."""
    reader = enter()
    run = _asked_for()
    if run is None:
        _unknown(reader)
        return
    st.set_page_config(page_title=title(run.name), page_icon=SIGN, layout="wide")
    component.show(_headline(run), key="question", language=run.brief.language)
    if is_running(run.id):
        plan_panel.show(run, reader)
        live_run.show(run.id, reader)
    else:
        finished_run.show(run, reader)
    source_drawer.show(run.id, reader)


def _headline(run: RunSummary) -> list[Element]:
    """Return the user's own title with the question under it, or the question alone; then the tags."""
    kind = "question long" if len(run.name) > _LONG else "question"
    star = el("span", "starred", "★", aria_hidden="true") if run.starred else None
    head = [el("h1", kind, run.name, star), *([el("p", "faint asked-for", run.question)] if run.title else [])]
    tags = [el("span", "tag", tag, key=tag) for tag in run.tags]
    return [*head, *([group("p", "labels", tags)] if tags else [])]


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
