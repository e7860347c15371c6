"""The interface's language: its texts, and dates, times and numbers as its readers write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from babel.dates import format_date, format_datetime, get_timezone
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal, format_percent

from research.core import ResearchError, StoreError, explain
from research.language import Bilingual, Language, bracketed, translated
from research.text import escape_markdown

NAMES: Mapping[Language, str] = {Language.EN: "English", Language.JA: "日本語"}
"""Each language in its own words."""


_APART = re.compile(r"\\[:@]|(?<=www)\\\.", re.IGNORECASE)
_JOINER = "\u2060"
"""Shows nothing; letters on both sides of it make no address and no sign."""


def verbatim(text: str) -> str:
    """Return words that others had a hand in such that Streamlit, which reads Markdown, shows them as they are.

    Streamlit makes links of addresses, and pictures of `:names:`, after escapes are undone; so they are kept apart too.
    """
    return _APART.sub(rf"{_JOINER}\g<0>{_JOINER}", escape_markdown(text))


def preferred(locale: str | None) -> Language:
    """Return the language of a reader whose browser asks for `locale` (`ja-JP`)."""
    return Language.JA if (locale or "").lower().startswith("ja") else Language.EN


@dataclass(frozen=True)
class Ui:
    """How one reader is spoken to."""

    language: Language
    timezone: tzinfo = UTC

    @classmethod
    def of(cls, language: Language, timezone: str | None) -> Ui:
        """Make it from what the browser says; an unknown time zone counts as UTC."""
        try:
            return cls(language, get_timezone(timezone) if timezone else UTC)
        except LookupError:
            return cls(language)

    def _(self, text: str, context: str = "") -> str:
        """Return `text` in the reader's language; `context` tells apart what only English says in the same words."""
        return translated(text, self.language, context)

    def n_(self, one: str, many: str, count: int) -> str:
        """Return the form that fits `count`, which may stand in it as `{count}`."""
        form = many if self.language is Language.EN and count != 1 else translated(one, self.language)
        return form.format(count=self.number(count))

    def of_term(self, text: Bilingual) -> str:
        """Return a label of the engine."""
        return text.in_(self.language)

    def reason(self, error: ResearchError) -> str:
        """Say why something could not be done."""
        return explain(error.code, self.language) if isinstance(error, StoreError) else str(error)

    def number(self, value: float) -> str:
        """Write a number with its separators."""
        return format_decimal(value, locale=self.language.value)

    def listed(self, items: list[str]) -> str:
        """Write items as an enumeration."""
        return format_list(items, locale=self.language.value)

    def bracketed(self, text: str, more: str) -> str:
        """Write `more` in brackets behind a text."""
        return bracketed(text, more, self.language)

    def percent(self, share: float) -> str:
        """Write a share (0 to 1) as whole per cent."""
        return format_percent(round(share, 2), locale=self.language.value)

    def size(self, count: int) -> str:
        """Write a number of bytes as kB or MB; only nothing is 0 kB."""
        if count < 1_000_000:
            return f"{self.number(max(min(1, count), round(count / 1_000)))} kB"
        return f"{self.number(round(count / 1_000_000, 1))} MB"

    def dollars(self, value: float) -> str:
        """Write an amount in US dollars; small amounts keep what is left of them."""
        pattern = "$#,##0.0000" if 0 < value < 0.01 else "$#,##0.00"
        return format_currency(value, "USD", format=pattern, locale=self.language.value, currency_digits=False)

    def moment(self, when: datetime) -> str:
        """Write a date and time of day, in the reader's time zone."""
        pattern = "d MMM y, HH:mm" if self.language is Language.EN else "y年M月d日 H:mm"
        return format_datetime(when, pattern, self.timezone, locale=self.language.value)

    def partial_date(self, text: str) -> str:
        """Write a date that is known to the year, month or day (`2025`, `2025-06`, `2025-06-30`)."""
        patterns = {4: ("%Y", "y", "y年"), 7: ("%Y-%m", "MMM y", "y年M月"), 10: ("%Y-%m-%d", "d MMM y", "y年M月d日")}
        reading, en, ja = patterns.get(len(text), ("", "", ""))
        try:
            known = datetime.strptime(text, reading)
        except ValueError:
            return text
        return format_date(known, ja if self.language is Language.JA else en, locale=self.language.value)

    def duration(self, seconds: float) -> str:
        """Write a duration of work: seconds below a minute, else minutes and seconds, else hours and minutes."""
        whole = round(seconds)
        if whole < 60:
            return self._("{seconds} s").format(seconds=whole)
        if whole < 3600:
            return self._("{minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)
        return self._("{hours} h {minutes} min").format(hours=whole // 3600, minutes=whole % 3600 // 60)
