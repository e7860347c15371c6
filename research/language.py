"""The two languages of the product, and text that exists in both."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Language(StrEnum):
    """A language of the interface and of reports."""

    EN = "en"
    JA = "ja"


class Bilingual(NamedTuple):
    """One text in both languages; being a pair, it cannot be left half translated."""

    en: str
    ja: str

    def in_(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.ja if language is Language.JA else self.en


_BRACKETED = Bilingual("{text} ({more})", "{text}（{more}）")


def bracketed(text: str, more: str, language: Language) -> str:
    """Return a text with `more` in brackets behind it; the text alone if there is nothing more."""
    return _BRACKETED.in_(language).format(text=text, more=more) if more else text
