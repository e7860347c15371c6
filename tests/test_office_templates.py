"""The templates of Word and PowerPoint files are those that their script makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import research.export.office
from bench.office_templates.__main__ import deck_parts, word_parts
from tests.support.office_samples import parts_of

TEMPLATES = Path(research.export.office.__file__).parent


@pytest.mark.parametrize(("name", "made"), [("template.docx", word_parts), ("template.pptx", deck_parts)])
def test_a_template_is_what_its_script_makes(name: str, made: Callable[[], dict[str, bytes]]) -> None:
    assert parts_of((TEMPLATES / name).read_bytes()) == made()
