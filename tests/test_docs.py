"""The pages of `docs/`: their samples run as they stand there, the reference is what the code says, no link is dead."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import research
from bench import reference
from research.cli import main
from research.store import RunStore
from tests.support.service import served

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
READMES = (ROOT / "README.md", ROOT / "README.ja.md")


def samples(page: str, kind: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found: list[str] = re.findall(rf"^ *```{kind}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    return found


@pytest.fixture
def desk(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader sits: an empty folder, and a home in which the sample collections are ready."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", str(home))
    return tmp_path


def carried_out(page: str, home: Path, *, run: str = "", there: Path | None = None) -> None:
    """Carry out every command of a page, the last ones `there`; `RUN` stands for a run that there is."""
    *first, last = samples(page, "bash")
    for commands, place in [*((one, home) for one in first), (last, there or home)]:
        for line in commands.splitlines():
            words = [run if word == "RUN" else word for word in shlex.split(line)]
            assert words[:3] == ["python", "-m", "research"]
            assert main(words[3:], {"RESEARCH_HOME": str(place), "LANG": "en_US.UTF-8"}) in (0, 3), line


def python(code: str, **names: Any) -> dict[str, Any]:
    """Run a sample as a notebook does: it may await."""
    code_object = compile(code, "sample", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    known = {"research": research, **names}
    waited = eval(code_object, known)
    if inspect.iscoroutine(waited):
        asyncio.run(waited)
    return known


def test_an_experiment_is_made_as_its_page_says(desk: Path) -> None:
    (tried,) = samples("experiments.md", "yaml")
    Path("tried.yaml").write_text(tried, encoding="utf-8")
    (code,) = samples("experiments.md", "python")
    results = python(code)["results"]
    assert len(results.frame) == 8
    assert results.by_way["facts"].tolist() == [1, 1, 1, 1]
    assert (desk / "out" / "tried" / "ways.md").is_file()


def test_python_does_what_its_page_says(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (code,) = samples("commands.md", "python")
    (desk / "documents").mkdir()
    (desk / "documents" / "sales.md").write_text("# Sales\n\nQuarterly sales rose by 4%.\n", encoding="utf-8")
    known = python(code)
    assert len(known["comparison"].table) == 2
    told = capfd.readouterr().out
    assert "research_finished" in told or "run_finished" in told


def test_every_sample_of_python_is_carried_out() -> None:
    """A page with a sample is named by the test that carries it out."""
    with_samples = {path.name for path in PAGES if "```python\n" in path.read_text(encoding="utf-8")}
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [page for page in sorted(with_samples) if f'"{page}"' not in tests] == []


def test_a_first_report_is_what_the_tutorial_shows(desk: Path, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (desk / "documents").mkdir()
    decided = "The board decided to close the Odawara warehouse by September 2026."
    (desk / "documents" / "minutes.md").write_text(f"# Minutes\n\n{decided}\n", encoding="utf-8")
    carried_out("first_report.md", home)
    first, own = ((desk / "out" / name / "report.md").read_text(encoding="utf-8") for name in ("first", "own"))
    (shown,) = samples("first_report.md", "text")
    assert [line for line in shown.splitlines() if line not in first] == []
    assert decided in own
    assert {path.suffix for path in (desk / "out" / "first").glob("report.*")} == {".md", ".pdf", ".pptx"}
    assert "Italy" in capfd.readouterr().out


def test_a_run_is_followed_in_python_and_over_http(desk: Path, home: Path) -> None:
    *here, begun, asked = samples("follow_a_run.md", "python")
    known = python("".join(here))
    assert known["report"].status == "complete"
    assert "GDP growth" in known["answer"].draft
    assert known["short"].record.brief.language == "ja"
    with served({"RESEARCH_HOME": str(home)}) as client:
        known = python((begun + asked).replace("http://127.0.0.1:8600", str(client.base_url)))
    assert known["event"]["type"] == "run_finished"
    assert (desk / "report.pdf").read_bytes().startswith(b"%PDF")
    assert "GDP growth" in known["asked"].json()["draft"]
    assert known["service"].close() is None


def test_a_batch_and_a_schedule_are_made_as_their_page_says(
    desk: Path, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (table,), (weekly,) = samples("batch_and_schedules.md", "csv"), samples("batch_and_schedules.md", "json")
    Path("subjects.csv").write_text(table, encoding="utf-8")
    Path("weekly.json").write_text(weekly, encoding="utf-8")
    carried_out("batch_and_schedules.md", home)
    assert (desk / "results.xlsx").is_file()
    assert sorted(path.name for path in (desk / "results").iterdir()) == ["001-Vietnam", "002-Norway"]
    assert "every monday 08:00" in capfd.readouterr().out


def test_a_run_is_shared_and_a_token_made_as_their_pages_say(
    desk: Path, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    report = research.run_sync(research.Brief(question="What does Norway export?", sources=("factbook",)))
    carried_out("share_a_run.md", home, run=report.record.run, there=desk / "elsewhere")
    assert "Norway" in (desk / "report.html").read_text(encoding="utf-8")
    carried_out("team.md", home)
    assert "ann@example.com" in capfd.readouterr().out
    assert [run.id for run in RunStore(desk / "elsewhere").list()] == [report.record.run]


def test_a_prompt_is_tried_as_its_page_says(desk: Path, home: Path) -> None:
    change, use = samples("own_prompts.md", "python")
    (tried,) = samples("own_prompts.md", "yaml")
    Path("prompts.yaml").write_text(tried, encoding="utf-8")
    known = python(change)
    carried_out("own_prompts.md", home)
    assert "mine" in (desk / "out" / "prompts" / "ways.md").read_text(encoding="utf-8")
    assert python(use, **known)["report"].status == "complete"


def test_every_prompt_is_named() -> None:
    (_, table) = (DOCS / "own_prompts.md").read_text(encoding="utf-8").split("## Which there are")
    named = re.findall(r"`(\w+)`", table)
    assert sorted(named) == sorted(path.stem for path in (ROOT / "research" / "prompts").glob("*.md"))


def test_the_reference_is_what_the_code_says() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in reference.FOLDER.iterdir()}
    assert kept == reference.pages(), "write it anew: python -m bench.reference"


def test_every_page_is_in_the_index_and_the_index_in_both_languages_of_the_readme() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = [path.relative_to(DOCS).as_posix() for path in PAGES if path.name != "README.md"]
    notebooks = [f"../notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.md")]
    assert [page for page in (*pages, *notebooks) if f"]({page})" not in index] == []
    for readme in READMES:
        assert "(docs/README.md)" in readme.read_text(encoding="utf-8")


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_a_readme_is_short_and_shows_one_picture(readme: Path) -> None:
    text = readme.read_text(encoding="utf-8")
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert 10_000 < (ROOT / picture).stat().st_size < 250_000
    assert len(text.splitlines()) < 80


@pytest.mark.parametrize("page", [*READMES, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_link_is_dead(page: Path) -> None:
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, place = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists() or (place and place not in anchors(path)):
            dead.append(target)
    assert dead == []


def anchors(page: Path) -> set[str]:
    """Return the places of a page that can be linked to, as those who show Markdown make them of its headings."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
