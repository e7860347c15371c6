"""Files that are made ahead: once for each content, whoever asks, and never in place of another content."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pages.parts.report.downloads import MadeAhead
from research.export import Paper
from research.results import Report
from tests.support.reports import sales_report


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return sales_report(tmp_path)


class Press:
    """Makes a file when it is let go, and remembers of what."""

    def __init__(self) -> None:
        self.made: list[tuple[str, Paper]] = []
        self.go = threading.Event()
        self.fails = False

    def __call__(self, report: Report, paper: Paper) -> bytes:
        assert self.go.wait(10)
        self.made.append((report.record.run, paper))
        if self.fails:
            raise ValueError("no ink")
        return f"{paper} {report.markdown}".encode()


def test_a_file_that_is_being_made_is_waited_for_and_not_made_twice(report: Report) -> None:
    press = Press()
    ahead = MadeAhead(press)
    ahead.begin(lambda: report, Paper.A4)
    with ThreadPoolExecutor() as readers:
        asked = [readers.submit(ahead.file, report, Paper.A4) for _ in range(3)]
        press.go.set()
        assert {one.result(10) for one in asked} == {f"a4 {report.markdown}".encode()}
    assert ahead.file(report, Paper.A4).startswith(b"a4")
    assert press.made == [(report.record.run, Paper.A4)]


@pytest.mark.parametrize(
    "other",
    [
        lambda report: report.model_copy(update={"markdown": report.markdown + "\n## More"}),
        lambda report: report.model_copy(update={"history": (*report.history, report.history[0])}),
    ],
    ids=["text", "events"],
)
def test_a_report_that_has_grown_is_made_anew(report: Report, other: Callable[[Report], Report]) -> None:
    press = Press()
    press.go.set()
    ahead = MadeAhead(press)
    ahead.file(report, Paper.A4)
    ahead.file(other(report), Paper.A4)
    ahead.file(report, Paper.LETTER)
    assert len(press.made) == 3


def test_what_could_not_be_made_is_told_to_who_asks_and_tried_again(report: Report) -> None:
    press = Press()
    press.go.set()
    press.fails = True
    ahead = MadeAhead(press)
    with pytest.raises(ValueError, match="no ink"):
        ahead.file(report, Paper.A4)
    press.fails = False
    assert ahead.file(report, Paper.A4)
