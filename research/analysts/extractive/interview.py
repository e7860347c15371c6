"""Questions to ask somebody who is met, where the brief wants them: each on a quote, worded by the program.

They claim nothing: what is asked is the same for every quote on an aspect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from research.analysts.extractive.coverage import coverage_of
from research.analysts.extractive.selection import Selection
from research.analysts.protocol import ReportRequest
from research.evidence import Evidence
from research.language import Bilingual
from research.vocabulary import Scope

HEADING = Bilingual("Questions to ask", "質問の候補")
_MOST = 5
_WANTED = re.compile(
    r"\b(?P<en>\d|one|two|three|four|five)\b[^.]{0,20}\bquestions?\b[^.]{0,12}\b(?:ask|asking)\b"
    r"|質問[^。]{0,8}?(?P<ja>\d|[一二三四五])(?:つ|件|個|問)",
    re.IGNORECASE,
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5}
_ASKED: dict[str, Bilingual] = {
    "strategy": Bilingual(
        "How far has this come, and what stands in its way?", "現在の進み具合と、実現の妨げになっている点は何ですか。"
    ),
    "challenges": Bilingual(
        "What is being done about this, and by when?", "この点について、いつまでにどのような手を打つお考えですか。"
    ),
    "risks": Bilingual(
        "How likely is this today, and how are you prepared?",
        "現時点でどの程度起こり得るとお考えで、どう備えていますか。",
    ),
    "sales": Bilingual(
        "How has this developed since, and what drives it?", "その後の推移と、その主な要因を伺えますか。"
    ),
    "profit": Bilingual(
        "What moved this, and what do you expect next?", "変動の主な要因と、今後の見通しを伺えますか。"
    ),
    "announcements": Bilingual("What came of this, and what follows?", "その後の成果と、次の予定を伺えますか。"),
    "investment": Bilingual(
        "What is this to bring, and is it on time?", "期待する効果と、計画どおりに進んでいるかを伺えますか。"
    ),
    "customers and places": Bilingual("How do you expect this to change?", "今後どのように変わるとお考えですか。"),
    "business": Bilingual("Which part of this matters most to you now?", "今、最も力を入れているのはどの部分ですか。"),
    "people": Bilingual("Who decides on this?", "この点はどなたが判断されますか。"),
}
"""By the label of an aspect, the most worth asking about first."""
_UNKNOWN = Bilingual("How would you describe this? (Nothing was found.)", "どのような状況か伺えますか（記述なし）。")


def questions_wanted(request: ReportRequest) -> int:
    """Return how many questions to ask a company the brief's note wants."""
    found = _WANTED.search(request.brief.note) if request.brief.scope is Scope.COMPANY else None
    if found is None:
        return 0
    word = (found["en"] or found["ja"]).lower()
    return min(_MOST, int(word) if word.isdigit() else _NUMBERS[word])


def question_lines(request: ReportRequest, selection: Selection) -> Iterator[tuple[str, Evidence | None, str]]:
    """Yield what each question is about, the quote that it rests on and the question: those on quotes first.

    Where fewer aspects have a quote of their own, what nothing was found on is worth asking too.
    """
    language = request.brief.language
    told, gaps = _aspects(request, selection)
    used: set[str] = set()
    asked = 0
    for label in sorted(told, key=list(_ASKED).index):
        entry = next((one for one in told[label][1] if one.id not in used), None)
        if entry and asked < questions_wanted(request):
            used.add(entry.id)
            asked += 1
            yield told[label][0].in_(language), entry, _ASKED[label].in_(language)
    for gap in gaps[: max(0, questions_wanted(request) - asked)]:
        yield gap.in_(language), None, _UNKNOWN.in_(language)


def _aspects(
    request: ReportRequest, selection: Selection
) -> tuple[dict[str, tuple[Bilingual, Sequence[Evidence]]], list[Bilingual]]:
    """Return the aspects that quotes shown speak of, with these quotes, and the aspects that none speaks of."""
    told: dict[str, tuple[Bilingual, Sequence[Evidence]]] = {}
    gaps: list[Bilingual] = []
    for part in selection.parts:
        coverage = coverage_of(part.section, request.brief, selection.quotes, request.pages, with_titles=True)
        told |= {one.aspect.label.en: (one.aspect.label, one.evidence) for one in coverage.told}
        gaps += [gap.aspect.label for gap in coverage.gaps]
    return {label: found for label, found in told.items() if label in _ASKED}, [one for one in gaps if one.en in _ASKED]
