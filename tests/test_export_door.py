"""What other rooms use of the exports: every name is there, and nothing large is loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import research.export


def test_every_name_is_offered() -> None:
    names = [name for offered in research.export._HOMES.values() for name in offered]
    assert all(getattr(research.export, name) is not None for name in names)


def test_the_door_is_light() -> None:
    code = (
        "import sys; from research.export import FORMATS, Paper, report_markdown\n"
        "print(sorted({'docx', 'pptx', 'typst', 'xlsxwriter', 'htpy', 'yaml'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
