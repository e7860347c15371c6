"""What can be counted of what was found: the score, the gaps, the good sources. It advises whoever decides."""

from __future__ import annotations

from dataclasses import dataclass

from research.gaps.model import GapReport
from research.language import Bilingual, Language
from research.sufficiency import Sufficiency

_COMMA = Bilingual(", ", "、")


@dataclass(frozen=True)
class Assessment:
    """The state of one topic after a search, computed and not asked of a model."""

    sufficiency: Sufficiency
    gaps: GapReport
    good_sources: int
    """Sites with at least two detailed quotes on what is asked."""
    stale: int
    """Searches in a row, up to the last, that brought no new evidence."""

    def in_words(self, language: Language) -> str:
        """Return it as facts for a prompt or a reflection; it names kinds of information, never words of a page."""
        criteria, comma = self.sufficiency.criteria, _COMMA.in_(language)
        aspects = comma.join(aspect.label.in_(language) for aspect in self.sufficiency.missing)
        missing = comma.join(self.gaps.missing)
        nothing = Bilingual("nothing", "なし").in_(language)
        return Bilingual(
            f"Computed score {self.sufficiency.score}/10 (results {criteria.results}, relevance {criteria.relevance}, "
            f"diversity {criteria.diversity}, detail {criteria.detail}, coverage {criteria.coverage}; 0 to 2 each). "
            f"Good sources: {self.good_sources}. Searches in a row without anything new: {self.stale}. "
            f"Aspects not covered: {aspects or nothing}. Not found yet: {missing or nothing}.",
            f"計算した充足度 {self.sufficiency.score}/10（件数 {criteria.results}、関連性 {criteria.relevance}、"
            f"多様性 {criteria.diversity}、詳しさ {criteria.detail}、網羅性 {criteria.coverage}、各0〜2点）。"
            f"良い情報源：{self.good_sources}件。新しい情報のない検索の連続：{self.stale}回。"
            f"触れていない観点：{aspects or nothing}。まだ見つからない情報：{missing or nothing}。",
        ).in_(language)
