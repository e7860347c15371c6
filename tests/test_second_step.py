"""What the nearest passages name is looked for in a second step; what no page speaks of is said to be missing."""

from pathlib import Path

import pytest

from research.core import Brief, MethodName, PresetName, SearchStarted, SourceName, Status
from research.engine import RunResult
from research.language import Language
from research.library import Library
from research.sources.local import LocalSource
from tests.support.rule_made import cited, document, parts, research, run
from tests.support.scripted import MemoryJournal

SALE = "The buyer of Zentra Steel, a maker of cold-rolled sheet, was Nordhaven Holdings."
BUYER = "Nordhaven Holdings is an investment firm from Bergen and owns nine mills."
DISTRACTORS = {f"Zentra Steel, mill {number}": f"Mill {number} of Zentra Steel rolls sheet." for number in range(8)}


async def asked(folder: Path, question: str, texts: dict[str, str]) -> tuple[RunResult, MemoryJournal]:
    (folder / "documents").mkdir()
    for number, (title, text) in enumerate(texts.items()):
        (folder / "documents" / f"{number}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    library = Library(folder / "documents", folder / "index")
    brief = Brief(
        question=question, preset=PresetName.COST, method=MethodName.SUPERVISED, sources=(SourceName.LIBRARY,)
    )
    return await run(brief, LocalSource(SourceName.LIBRARY, lambda: library))


async def test_whom_the_question_describes_is_found_by_the_name_that_the_first_step_found(tmp_path: Path) -> None:
    texts = {"Zentra Steel": SALE, "Nordhaven Holdings": BUYER, **DISTRACTORS}
    result, journal = await asked(tmp_path, "In which city is the buyer of Zentra Steel based?", texts)
    queries = [event.query for event in journal.of(SearchStarted)]
    assert "Nordhaven" not in queries[0]
    assert any("Nordhaven Holdings" in query for query in queries[1:])
    assert f"Nordhaven Holdings: “{BUYER}”" in parts(result.markdown)["Answer"]


async def test_a_passage_with_all_words_of_the_question_leads_nowhere(tmp_path: Path) -> None:
    texts = {"Zentra Steel": SALE, "Nordhaven Holdings": BUYER, **DISTRACTORS}
    result, journal = await asked(tmp_path, "Who was the buyer of Zentra Steel, a maker of cold-rolled sheet?", texts)
    assert not any("Nordhaven" in event.query for event in journal.of(SearchStarted))
    assert SALE in [entry.quote for entry in cited(result)]
    assert BUYER not in [entry.quote for entry in cited(result)]


async def test_a_page_that_the_question_names_by_its_title_stands_in_the_answer(tmp_path: Path) -> None:
    texts = {
        "A Treatise on Rolling": "A Treatise on Rolling is a book of 1710 by the engineer George Berk.",
        **{
            f"Paper {number}": f"In the {number}th century the author of this paper lived in Rome."
            for number in range(5)
        },
    }
    result, _ = await asked(tmp_path, "What century did the author of A Treatise on Rolling live in?", texts)
    assert any(entry.quote.startswith("A Treatise on Rolling") for entry in cited(result))


@pytest.mark.parametrize(
    "question", ["バヤズィト1世の母親はどこの出身ですか。", "『失われた時を求めて』のモデルとなった土地はどこですか。"]
)
async def test_a_subject_that_no_page_speaks_of_is_said_to_be_missing(question: str) -> None:
    pages = (
        document("hall", "県庁舎", "県庁舎の西側には公園があり、土地は県が所有している。", "母親の像が建っている。"),
        document("race", "競走馬", "この馬は北の牧場の出身で、デビュー戦で評価を高めた。", "どこの馬主も欲しがった。"),
    )
    result, _ = await research(question, pages, language=Language.JA)
    assert "該当する情報は見つかりませんでした" in parts(result.markdown)
    assert result.record.status is Status.PARTIAL
    assert not cited(result)
