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
