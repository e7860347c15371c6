"""The notebooks run from the first cell to the last."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted(Path("notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
# The kernel's own libraries warn on start; what counts is that every cell of ours runs.
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_runs_without_keys(
    path: Path, stocked: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESEARCH_HOME", str(stocked(tmp_path)))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TAVILY_API_KEY", "TAVILY_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=250, resources={"metadata": {"path": str(path.parent)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("# How do Vietnam" in str(output.get("data", {}).get("text/markdown", "")) for output in shown)
    assert any("application/vnd.plotly.v1+json" in output.get("data", {}) for output in shown)
    assert any("'report.html': " in str(output.get("data", {}).get("text/plain", "")) for output in shown)


def test_notebooks_are_kept_without_their_output() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        cells = nbformat.read(path, as_version=4).cells
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
