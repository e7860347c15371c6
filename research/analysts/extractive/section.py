"""What a report consists of before anything is found: sections, and what each should say."""

from __future__ import annotations

from dataclasses import dataclass

from research.language import Bilingual


@dataclass(frozen=True)
class Aspect:
    """One thing that a section should say."""

    label: Bilingual
    words: tuple[tuple[str, ...], tuple[str, ...]]
    """Search words in English and in Japanese, the most telling first; each alone shows that the aspect is covered."""

    @property
    def phrases(self) -> tuple[str, ...]:
        """The words of both languages."""
        return self.words[0] + self.words[1]


@dataclass(frozen=True)
class Section:
    """A part of the report, and the topic of one researcher."""

    title: Bilingual
    focus: Bilingual
    aspects: tuple[Aspect, ...]


def aspect(labels: str, en: str, ja: str) -> Aspect:
    """Return an aspect from `English|Japanese` labels, its English words (by comma) and its Japanese words (by 、)."""
    english, japanese = labels.split("|")
    return Aspect(Bilingual(english, japanese), (tuple(en.split(", ")), tuple(ja.split("、"))))


def section(titles: str, focus: str, *aspects: Aspect) -> Section:
    """Return a section from its title and focus as `English|Japanese`, and its aspects."""
    return Section(Bilingual(*titles.split("|")), Bilingual(*focus.split("|")), aspects)
