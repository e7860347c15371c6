"""Ready at once: what doors and commands load, in a process of their own, and what is said of a missing package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from research.core import Brief
from research.store import RunStore
from tests.support.vectors import with_shared_vectors

HEAVY = {
    "bm25s", "docx", "htpy", "httpx", "langchain_core", "langchain_openai", "langgraph", "numpy", "openai", "pandas",
    "pptx", "streamlit", "typst", "xlsxwriter",
}  # fmt: skip
"""Clients of models and makers of files take a tenth of a second or more to load, and few need them."""
_PROGRAM = """
import json, sys
from research.cli import main
told = {}
for step in json.loads(sys.argv[1]):
    try:
        exec(step) if isinstance(step, str) else main(step)
    except SystemExit as ended:
        assert not ended.code
    told[str(step)] = sorted({name.partition(".")[0] for name in sys.modules})
print("\\n" + json.dumps(told))
"""


def loaded(*steps: str | list[str], home: Path, **set_up: str) -> dict[str, set[str]]:
    """Return which heavy packages a process has loaded after each of these statements and commands."""
    told = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_BASE_URL"))}
    environment = {**told, "RESEARCH_HOME": str(home), **set_up}
    with_shared_vectors(home)
    command = [sys.executable, "-c", _PROGRAM, json.dumps(steps)]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return {step: HEAVY & set(names) for step, names in json.loads(ran.stdout.splitlines()[-1]).items()}


def test_no_door_and_no_command_that_researches_nothing_loads_anything_heavy(tmp_path: Path) -> None:
    RunStore(tmp_path).create(Brief(question="How large is it?"), "extractive", owner="")
    found = loaded(
        "import research; research.Brief(question='?')",
        "from research.export import FORMATS",
        "from research.export.document import Paper",
        "from research.export.markdown import report_markdown",
        "from research.store import RunStore",
        "from research.engine import estimate",
        "from research.analysts.chat import ModelName; ModelName.parse('gpt-5.4').served_by.require('', {'key': 'k'})",
        ["--help"],
        ["run", "--help"],
        ["runs"],
        ["run", "How large is it?", "--estimate"],
        home=tmp_path,
        OPENAI_API_KEY="sk-none",
    )
    assert len(found) == 11
    assert not {step: names for step, names in found.items() if names}


def test_a_run_without_models_loads_no_client_of_any(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.txt").write_text("The pump costs 40 dollars.", encoding="utf-8")
    asked = ["run", "What does it cost?", "--library", str(tmp_path / "mine"), "--out", str(tmp_path / "out")]
    (heavy,) = loaded([*asked, "--analyst", "extractive"], home=tmp_path).values()
    assert not heavy & {"langchain_openai", "openai", "pandas", "streamlit"}


def test_what_a_run_needs_is_loaded_while_its_brief_is_read(tmp_path: Path) -> None:
    step = """
from research.settings import Settings
from research.store.world import make_ready
make_ready(Settings.from_environment(__import__('os').environ))
"""
    (without,) = loaded(step, home=tmp_path).values()
    assert "langgraph" in without and not without & {"langchain_openai", "openai"}
    (with_models,) = loaded(step, home=tmp_path, OPENAI_API_KEY="sk-none").values()
    assert {"langgraph", "langchain_core", "langchain_openai", "openai"} <= with_models


def test_what_is_not_installed_is_named_with_the_command_that_installs_it() -> None:
    script = """
import sys
sys.modules["typst"] = None
from research.core import UsageError
from research.export.pdf import to_pdf
from research.language import Language
from tests.support.office_samples import document
for language in Language:
    try:
        to_pdf(document(language))
    except UsageError as error:
        print(error)
"""
    command = [sys.executable, "-X", "utf8", "-c", script]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, encoding="utf-8", check=True)
    lines = done.stdout.splitlines()
    assert all("pip install 'research-workbench[documents]'" in line for line in lines)
    assert [line.isascii() for line in lines] == [True, False], lines
