"""The two languages of the product: English is the source of every text, its Japanese stands in `ja.po`.

A text is written once, in English, where it is used: `Phrase("A search failed.")`. The catalogue is the only place for
the other language, for the engine and for the pages alike; `make texts` keeps it complete. It is read when the first
text is asked for in Japanese, in some milliseconds, so that nothing compiled has to be kept beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


class Language(StrEnum):
    """A language of the interface and of reports."""

    EN = "en"
    JA = "ja"


def preferred(locale: str | None) -> Language:
    """Return the language of a reader whose browser asks for `locale` (`ja-JP`)."""
    return Language.JA if (locale or "").lower().startswith("ja") else Language.EN


class Bilingual:
    """One text in both languages; being a pair, it cannot be left half translated.

    Made directly from its halves it is computed, came out of a stored run, or is a mere sign such as a comma. Stored
    runs and events hold it as the array of both halves.
    """

    __slots__ = ("_en", "_ja")

    def __init__(self, en: str, ja: str) -> None:
        self._en, self._ja = en, ja

    def in_(self, language: Language) -> str:
        """Return the text in `language`."""
        return self._ja if language is Language.JA else self._en

    @property
    def en(self) -> str:
        """The English text."""
        return self.in_(Language.EN)

    @property
    def ja(self) -> str:
        """The Japanese text."""
        return self.in_(Language.JA)

    def filled(self, *parts: object, **named: object) -> Bilingual:
        """Return the text with its placeholders filled, as `str.format` does; what is bilingual is said in each."""
        return _Filled(self, parts, named)

    def __iter__(self) -> Iterator[str]:
        yield self.en
        yield self.ja

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bilingual) and self.en == other.en and self.ja == other.ja

    def __hash__(self) -> int:
        return hash(self.en)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.en!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        halves = core_schema.tuple_positional_schema([core_schema.str_schema(), core_schema.str_schema()])
        pair = core_schema.no_info_after_validator_function(lambda both: Bilingual(*both), halves)
        return core_schema.json_or_python_schema(
            json_schema=pair,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(Bilingual), pair]),
            serialization=core_schema.plain_serializer_function_ser_schema(tuple, return_schema=halves),
        )


class Phrase(Bilingual):
    """A text of the program: its English stands in the code, its Japanese in the catalogue."""

    __slots__ = ("_context",)

    def __init__(self, english: str, context: str = "") -> None:
        """Make it from its English; `context` tells apart two texts that only English says in the same words."""
        self._en, self._context = english, context

    def in_(self, language: Language) -> str:
        """Return the text in `language`."""
        return translated(self._en, language, self._context)


class _Filled(Bilingual):
    """A text with what fills it; it is put together when it is asked for."""

    __slots__ = ("_named", "_parts", "_text")

    def __init__(self, text: Bilingual, parts: tuple[object, ...], named: Mapping[str, object]) -> None:
        self._text, self._parts, self._named = text, parts, named

    def in_(self, language: Language) -> str:
        """Return the text in `language`; what has its name in both, as places of the world have, is said in it."""
        parts = (getattr(part, language.value, part) for part in self._parts)
        named = {name: getattr(part, language.value, part) for name, part in self._named.items()}
        return self._text.in_(language).format(*parts, **named)


def translated(english: str, language: Language, context: str = "") -> str:
    """Return a text of the program in `language`; English where the catalogue lacks it."""
    return english if language is Language.EN else catalogue(language).get((context, english)) or english


@cache
def catalogue(language: Language) -> Mapping[tuple[str, str], str]:
    """Return the texts of a language by their context and their English (of a plural: the English for one).

    Of the gettext format it reads what `make texts` writes: entries with one form, on as many lines as they take.
    """
    from importlib.resources import files

    source = files("research.language").joinpath(f"{language.value}.po").read_text(encoding="utf-8")
    return {
        (_unquoted(entry["context"] or ""), _unquoted(entry["english"])): _unquoted(entry["text"])
        for entry in _ENTRY.finditer(source)
        if entry["english"] != '""\n'
    }


def is_own_text(text: str) -> bool:
    """Whether a text is one of the program's, in either language, with nothing but numbers filled in."""
    return _NUMBER.sub("#", text) in _own_texts()


@cache
def _own_texts() -> frozenset[str]:
    texts = catalogue(Language.JA).items()
    return frozenset(_FIELD.sub("#", text) for (_, english), japanese in texts for text in (english, japanese))


_NUMBER, _FIELD = re.compile(r"\d+(?:[.,]\d+)*"), re.compile(r"\{\w*\}")
_LINES = r'(?:".*"\n)+'
_ENTRY = re.compile(
    rf"^(?:msgctxt (?P<context>{_LINES}))?msgid (?P<english>{_LINES})(?:msgid_plural {_LINES})?"
    rf"msgstr(?:\[0\])? (?P<text>{_LINES})",
    re.MULTILINE,
)
_ESCAPED = re.compile(r"\\(.)")


def _unquoted(lines: str) -> str:
    """Return what stands in the quoted lines of an entry."""
    text = lines[1:-2].replace('"\n"', "")
    return _ESCAPED.sub(lambda found: {"n": "\n", "t": "\t", "r": "\r"}.get(found[1], found[1]), text)


COMMA, COLON, SPACE = Bilingual(", ", "、"), Bilingual(": ", "："), Bilingual(" ", "")
"""Between the items of a list; behind a label; between sentences."""
_BRACKETED = Bilingual("{text} ({more})", "{text}（{more}）")
_AND = Bilingual("; ", "、")
_IN_BRACKETS = re.compile(r"[(（][^()（）]+(?=[)）]\Z)")


def bracketed(text: str, more: str, language: Language) -> str:
    """Return a text with `more` in brackets behind it, in its own if it ends with some; without `more`, as it is."""
    if not more:
        return text
    if inside := _IN_BRACKETS.search(text):
        return text[: inside.end()] + _AND.in_(language) + more + text[inside.end() :]
    return _BRACKETED.in_(language).format(text=text, more=more)
