"""A format of export of somebody else, as the how-to says: installed as a package, and offered wherever ours are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.cli import main
from research.core import UsageError
from research.export import FORMATS
from research.results import Report
from tests.support.packages import installed
from tests.support.reports import sales_report

HOW_TO = (Path(__file__).parents[1] / "docs" / "own_export.md").read_text(encoding="utf-8")
(CODE, *_) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
BROKEN = CODE.replace("pages = {", "1 / 0\n    pages = {").replace('"claims"', '"broken"')
NO_BYTES = CODE.replace(".encode()", "").replace('"claims"', '"no-bytes"')
TAKEN = CODE.replace('"claims"', '"pdf"')
BAD_NAME = CODE.replace('"claims"', '"../claims"')


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return sales_report(tmp_path / "home")


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    codes = {"claims_export": CODE, "broken_export": BROKEN, "text_export": NO_BYTES, "taken": TAKEN, "bad": BAD_NAME}
    entries = {name: ("research.exports", "CLAIMS", code) for name, code in codes.items()}
    with installed(tmp_path / "site", monkeypatch, FORMATS, **entries):
        yield


def test_an_installed_format_is_offered_beside_ours_and_takes_the_name_of_none() -> None:
    assert next(iter(FORMATS)) == "pdf" and FORMATS["pdf"].mime == "application/pdf"
    assert {"claims", "broken", "no-bytes"} <= set(FORMATS) and "../claims" not in FORMATS


def test_a_report_leaves_in_it(report: Report, tmp_path: Path) -> None:
    rows = json.loads(report.export("claims"))
    claim = next(row for row in rows if row["quotes"])
    assert claim["verdict"] and claim["quotes"][0]["quote"] in report.record.evidence[0].quote
    out = tmp_path / "claims.json"
    given = ["export", report.record.run, "--format", "claims", "--out", str(out)]
    assert main(given, {"RESEARCH_HOME": str(tmp_path / "home"), "LANG": "en_US.UTF-8"}) == 0
    assert json.loads(out.read_bytes()) == rows


@pytest.mark.parametrize(("name", "reason"), [("broken", "ZeroDivisionError"), ("no-bytes", "str")])
def test_one_that_fails_says_so_in_a_line(report: Report, name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=rf"Claims \(JSON\)\) could not be made: .*{reason}"):
        report.export(name)
