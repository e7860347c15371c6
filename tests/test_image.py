"""The image and `compose.yaml`: what they name is there, whatever builds and runs them."""

from __future__ import annotations

import re
import shlex
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
import yaml

from pages.parts.accounts import OPEN
from pages.parts.door import HEALTH
from research.cli import main

ROOT = Path(__file__).parents[1]
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SETTINGS = {name: str(value) for one in ("page", "worker") for name, value in SERVICES[one]["environment"].items()}
SOURCES = [path for folder in ("research", "pages") for path in (ROOT / folder).rglob("*.py")]
OURS = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_one_of_the_program_of_its_server_or_of_its_database(name: str) -> None:
    if name.startswith("STREAMLIT_"):
        section, _, option = name.removeprefix("STREAMLIT_").lower().partition("_")
        known = {key.lower() for key in st.config.get_config_options()}  # type: ignore[attr-defined]
        assert f"{section}.{option.replace('_', '')}" in known
    else:
        assert name == "PGPASSWORD" or name in OURS


def test_the_page_is_open_to_this_machine_alone_and_says_so_in_the_words_that_are_asked_for() -> None:
    page = SERVICES["page"]
    assert SETTINGS["RESEARCH_OPEN"] == OPEN
    assert all(port.startswith("127.0.0.1:") for port in page["ports"])
    assert f"localhost:8501{HEALTH}'" in page["healthcheck"]["test"][-1]
    assert page["healthcheck"]["test"][:3] == ["CMD", "python", "-c"]
    compile(page["healthcheck"]["test"][-1], "healthcheck", "exec")


def test_the_commands_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    prepared = re.findall(r"python -m research (\w+)", DOCKERFILE)
    assert prepared == ["prepare"]
    python, flag, package, *command = SERVICES["worker"]["command"]
    assert [python, flag, package] == ["python", "-m", "research"]
    for words in (prepared, command):
        with pytest.raises(SystemExit) as ended:
            main([*words, "--help"], {})
        assert ended.value.code == 0
    assert capsys.readouterr().out
    assert 'CMD ["streamlit", "run", "app.py"]' in DOCKERFILE


def test_the_image_holds_what_a_team_needs_and_what_it_is_made_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = re.findall(r"--editable '\.\[(.*?)\]'", DOCKERFILE)
    assert {"all", "team", "login", "telemetry"} == set(extras.split(",")) <= project["optional-dependencies"].keys()
    left_out = shlex.split((ROOT / ".dockerignore").read_text(encoding="utf-8"))
    needed = ("app.py", "pages", "research", "setup.py", "constraints.txt", "pyproject.toml", ".streamlit/config.toml")
    for name in (*needed, project["readme"], *project["license-files"]):
        assert (ROOT / name).exists() and not any(fnmatch(name, one) for one in left_out), name
    assert {".env", ".git", ".streamlit/secrets.toml"} <= set(left_out), "no secret lies in the image"
