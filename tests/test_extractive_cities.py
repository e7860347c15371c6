"""Documents of one's own that name only a city, where a country is asked about."""

from __future__ import annotations

import pytest

from research.analysts.extractive.asked import is_aside
from research.core import Brief, Scope, SourceName
from research.language import Language
from research.sources import FoundPage, SearchRequest
from tests.scripted import MemorySource
from tests.test_extractive import research, run
from tests.test_extractive_answers import document, page

HANOI = document("hanoi", "Visit report, Hanoi", "Customers in Hanoi complain that spare parts take 19 days.")
MUNICH = document(
    "munich",
    "Visit report, Munich",
    "Customers in Munich complain about the noise of our pumps.",
    "A competitor from Austria offers them contracts at a fixed price.",
)
HANOI_JA = document(
    "hanoi-ja", "出張報告（ハノイ）", "ハノイの顧客は、韓国の競合より部品の納期が長いことに不満を持っている。"
)


@pytest.mark.parametrize(
    ("question", "language", "quoted", "left_out"),
    [
        ("What do customers in Germany complain about?", Language.EN, "noise of our pumps", "19 days"),
        ("What do customers in Vietnam complain about?", Language.EN, "19 days", "noise of our pumps"),
        ("ベトナムの顧客は何に不満を持っていますか。", Language.JA, "韓国の競合より", "noise of our pumps"),
    ],
)
async def test_a_question_about_a_country_is_answered_with_documents_on_its_cities(
    question: str, language: Language, quoted: str, left_out: str
) -> None:
    result, _ = await research(question, (HANOI, MUNICH, HANOI_JA), language=language, scope=Scope.MARKET)
    assert quoted in result.markdown and left_out not in result.markdown


def test_a_document_on_a_city_of_the_country_is_not_set_aside_for_naming_another_country() -> None:
    assert not is_aside(page(MUNICH.text), "What do customers in Germany complain about?")
    assert is_aside(page(MUNICH.text), "What do customers in Vietnam complain about?")


class Named(MemorySource):
    """A large folder: only queries that name the city find the document on it."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        return list(self.pages) if "hanoi" in request.query else []


async def test_a_country_that_no_page_is_on_is_searched_for_by_its_cities_in_ones_own_documents() -> None:
    for source, is_found in ((SourceName.HOUSE, True), (SourceName.FACTBOOK, False)):
        brief = Brief(question="What do customers in Vietnam complain about?", sources=(source,))
        result, _ = await run(brief, Named((HANOI,)))
        assert ("19 days" in result.markdown) is is_found
