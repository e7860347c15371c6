"""Ready at once: what a command loads, in a process of its own. Clients of models take seconds, and few need them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from research.core import Brief
from research.store import RunStore

HEAVY = {"httpx", "langchain_core", "langchain_openai", "langgraph", "numpy", "openai", "pandas", "streamlit"}
"""Each takes a tenth of a second or more to load."""
_MAIN = """
import json, sys
from research.cli import main
try:
    status = main(sys.argv[1:])
except SystemExit as ended:
    status = ended.code
print("\\n" + json.dumps([status, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def loaded(source: str, *arguments: str, home: Path, **set_up: str) -> tuple[int, set[str]]:
    """Return how a program ended, and which of the heavy packages it had loaded by then."""
    told = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_BASE_URL"))}
    environment = {**told, "RESEARCH_HOME": str(home), **set_up}
    ran = subprocess.run(
        [sys.executable, "-c", source, *arguments], capture_output=True, text=True, env=environment, check=True
    )
    status, names = json.loads(ran.stdout.splitlines()[-1])
    return status, HEAVY & set(names)


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["run", "--help"], ["runs"], ["run", "How large is it?", "--estimate"]],
    ids=["help", "help of run", "runs", "estimate"],
)
def test_a_command_that_researches_nothing_loads_nothing_heavy(tmp_path: Path, arguments: list[str]) -> None:
    RunStore(tmp_path).create(Brief(question="How large is it?"), "extractive", owner="")
    assert loaded(_MAIN, *arguments, home=tmp_path, OPENAI_API_KEY="sk-none") == (0, set())


def test_a_run_without_models_loads_no_client_of_any(tmp_path: Path) -> None:
    arguments = ["run", "What does it cost?", "--library", str(tmp_path / "mine"), "--out", str(tmp_path / "out")]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.txt").write_text("The pump costs 40 dollars.", encoding="utf-8")
    _, heavy = loaded(_MAIN, *arguments, "--analyst", "extractive", home=tmp_path)
    assert not heavy & {"langchain_openai", "openai", "pandas", "streamlit"}


@pytest.mark.parametrize("door", ["research.store import RunStore", "research.engine import estimate"])
def test_a_store_is_opened_and_an_estimate_made_without_what_carries_out_a_run(tmp_path: Path, door: str) -> None:
    source = f"import json, sys\nfrom {door}\nprint(json.dumps([0, sorted(sys.modules)]))"
    assert loaded(source, home=tmp_path) == (0, set())


def test_settings_name_models_without_loading_a_client(tmp_path: Path) -> None:
    source = (
        "import json, sys\nfrom research.analysts.chat import ModelName\nModelName.parse('gpt-5.4').require()\n"
        "print(json.dumps([0, sorted(sys.modules)]))"
    )
    assert loaded(source, home=tmp_path) == (0, set())
