"""The wheel: every module, page and data file is in it, and nothing of tests, benches or somebody's own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
_BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
_LEFT = shutil.ignore_patterns("__pycache__", "*.egg-info")


def files(folder: Path) -> set[str]:
    """Return the files below a folder as they are called from it, without what Python makes beside them."""
    every = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in every if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """The wheel as it is made of what stands here, with a secret that somebody keeps beside the settings."""
    copy = tmp_path_factory.mktemp("source")
    for name in ("research", "pages", ".streamlit", "tests", "bench"):
        shutil.copytree(ROOT / name, copy / name, ignore=_LEFT)
    for name in ("app.py", "setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    (copy / ".streamlit" / "secrets.toml").write_text("[auth]\n", encoding="utf-8")
    out = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, str(out)], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return ZipFile(next(out.glob("*.whl")))


def test_every_file_of_engine_and_pages_is_in_the_wheel_and_nothing_else(wheel: ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    expected = {f"research/{name}" for name in files(ROOT / "research")}
    expected |= {f"research/workbench/pages/{name}" for name in files(ROOT / "pages")}
    expected |= {"research/workbench/app.py", "research/workbench/.streamlit/config.toml"}
    assert held == expected, "package-data in pyproject.toml, or setup.py, does not know these"


def test_the_wheel_has_its_commands(wheel: ZipFile) -> None:
    (entry_points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    told = wheel.read(entry_points).decode()
    assert "research = research.cli:main" in told and "research-workbench = research.cli:open_workbench" in told
