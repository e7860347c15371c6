"""The samples of `docs/`, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import research

DOCS = Path(__file__).parents[1] / "docs"


def samples(page: str, kind: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found: list[str] = re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
    return found


def test_an_experiment_is_made_as_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", environment["RESEARCH_HOME"])
    (tried,) = samples("experiments.md", "yaml")
    Path("tried.yaml").write_text(tried, encoding="utf-8")
    (code,) = samples("experiments.md", "python")
    names: dict[str, object] = {"research": research}
    exec(code, names)
    results = names["results"]
    assert len(results.frame) == 8  # type: ignore[attr-defined]
    assert results.by_way["facts"].tolist() == [1, 1, 1, 1]  # type: ignore[attr-defined]
    assert (tmp_path / "out" / "tried" / "ways.md").is_file()


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_a_page_of_the_docs_is_named_in_both_languages_of_the_readme(page: str) -> None:
    english, japanese = (DOCS.parent / "README.md").read_text(encoding="utf-8").split("\n# リサーチワークベンチ")
    assert f"docs/{page}" in english
    assert f"docs/{page}" in japanese
