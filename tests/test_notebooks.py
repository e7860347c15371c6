"""The notebooks run from the first cell to the last, without keys, and are what their texts say."""

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = {path.stem: nbformat.read(path, as_version=4) for path in sorted(Path("notebooks").glob("*.ipynb"))}
FORGET = "%reset -f"
"""What begins a notebook that runs behind another: none may live on the names of the one before."""


# The kernel's own libraries warn on start; what counts is that every cell of ours runs.
@pytest.mark.filterwarnings("ignore")
def test_notebooks_run_without_keys(
    stocked: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESEARCH_HOME", str(stocked(tmp_path)))
    cells = [cell for book in NOTEBOOKS.values() for cell in (nbformat.v4.new_code_cell(FORGET), *book.cells)]
    one = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(one, timeout=250, resources={"metadata": {"path": "notebooks"}}).execute()
    shown = {name: shown_by(book) for name, book in NOTEBOOKS.items()}
    assert "stderr" not in {output.get("name") for outputs in shown.values() for output in outputs}
    assert "106,688,169" in said(shown["1_first_research"], "text/markdown")
    assert "report.pdf" in said(shown["1_first_research"], "text/plain")
    assert "100%" in said(shown["2_live"], "text/html")
    assert "20億円" in said(shown["3_evidence"], "text/html")
    assert "Numazu" in said(shown["4_own_documents"], "text/markdown")
    assert "AN-300 leaks" in said(shown["4_own_documents"], "text/markdown")
    assert "1,419,316,933" in said(shown["5_batch"], "text/html")
    assert "100%" in said(shown["6_comparing"], "text/html")
    assert "The page has another figure here" in said(shown["7_own_text"], "text/html")
    assert "rose by 12%" in said(shown["8_own_source"], "text/markdown")
    assert "$476.388 billion" in said(shown["9_service"], "text/markdown")
    assert "True" in said(shown["9_service"], "text/plain")
    assert "Name not on the page: June" in said(shown["9_service"], "text/html")
    plotted = [name for name, outputs in shown.items() if said(outputs, "application/vnd.plotly.v1+json")]
    assert plotted == ["2_live", "3_evidence", "5_batch", "6_comparing"]


def shown_by(book: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [output for cell in book.cells for output in cell.get("outputs", [])]


def said(outputs: list[nbformat.NotebookNode], kind: str) -> str:
    return "\n".join(str(output["data"][kind]) for output in outputs if kind in output.get("data", {}))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_kept_without_output_and_says_what_its_text_says(name: str) -> None:
    cells = nbformat.read(Path("notebooks", f"{name}.ipynb"), as_version=4).cells
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
    assert len(cells) <= 12
    told = [f"```python\n{cell.source}\n```" if cell.cell_type == "code" else cell.source for cell in cells]
    text = Path("notebooks", f"{name}.md").read_text(encoding="utf-8")
    assert "\n\n".join(told) == re.sub(r"\A---\n.*?\n---\n\n", "", text, flags=re.DOTALL).strip()
