"""One reader: how they are spoken to and written for, and guards against anything unforeseen."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar

import streamlit as st
from babel.dates import format_datetime, get_timezone
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal, format_percent
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.nodes import deliver_assets
from research.core import ResearchError, StoreError, UsageError, date_in_words, explain
from research.language import Bilingual, Language, bracketed, preferred, translated
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
        if isinstance(error, UsageError):
            return self.of_term(error.text)
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

    def price(self, usd: float | None) -> str:
        """Write an amount in US dollars, or that nobody knows it."""
        return self._("price not known") if usd is None else self.dollars(usd)

    # Spaces in dates are no-break: “27” at the end of a line and “Nov 2026” on the next are not read as one.
    def moment(self, when: datetime) -> str:
        """Write a date and time of day, in the reader's time zone."""
        pattern = "d\u00a0MMM\u00a0y, HH:mm" if self.language is Language.EN else "y年M月d日 H:mm"
        return format_datetime(when, pattern, self.timezone, locale=self.language.value)

    def day(self, when: datetime) -> str:
        """Write the day of a moment, in the reader's time zone."""
        return self.partial_date(when.astimezone(self.timezone).date().isoformat())

    def partial_date(self, text: str) -> str:
        """Write a date that is known to the year, month or day (`2025`, `2025-06`, `2025-06-30`)."""
        told = date_in_words(text, self.language)
        return told if told == text else told.replace(" ", "\u00a0")

    def duration(self, seconds: float) -> str:
        """Write a duration of work: seconds below a minute, else minutes and seconds, else hours and minutes."""
        whole = round(seconds)
        if whole < 60:
            return self._("{seconds} s").format(seconds=whole)
        if whole < 3600:
            return self._("{minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)
        return self._("{hours} h {minutes} min").format(hours=whole // 3600, minutes=whole % 3600 // 60)


_log = logging.getLogger("workbench")

_LANGUAGE = "lang"
LOGO = Path(__file__).parent / "assets" / "logo.svg"
"""The product's name and sign, in the ink of the theme that is shown, also when that changes."""
SIGN = Path(__file__).parent / "assets" / "sign.svg"
"""The product's sign alone, where its name has no room: a telephone's header also holds the menu."""


def ui() -> Ui:
    """Return how this reader is spoken to: in the language chosen, else in that of the address or the browser."""
    return Ui.of(Language(st.session_state.get(_LANGUAGE) or _first_language()), st.context.timezone)


def _first_language() -> Language:
    asked = st.query_params.get(_LANGUAGE)
    return Language(asked) if asked in set(Language) else _browser_language()


def _browser_language() -> Language:
    return preferred(st.context.locale or st.context.headers.get("Accept-Language"))


def language_switch() -> None:
    """Show the switch of the interface's language. A choice that differs from the browser stands in the address."""
    st.session_state.setdefault(_LANGUAGE, _first_language().value)
    chosen = st.segmented_control(
        "Language / 言語",
        [language.value for language in Language],
        format_func=lambda value: NAMES[Language(value)],
        required=True,
        key=_LANGUAGE,
        persist_state="session",
        label_visibility="collapsed",
    )
    deliver_assets(Language(chosen or _browser_language()))
    if chosen and chosen != _browser_language():
        st.query_params[_LANGUAGE] = chosen
    elif _LANGUAGE in st.query_params:
        del st.query_params[_LANGUAGE]


@contextmanager
def no_traceback(reader: Ui) -> Iterator[None]:
    """Turn what goes wrong inside into a message that says what to do; the details go to the log."""
    try:
        yield
    except UsageError as error:
        _log.warning("%s", error)
        st.error(reader._("This does not exist (any more). Go back to the list of runs."), icon=":material/error:")
    except StoreError as error:
        _log.exception("The store failed.")
        st.error(verbatim(reader.reason(error)), icon=":material/error:")
    except Exception:  # noqa: BLE001 - whatever breaks, the reader sees a sentence and no traceback
        _log.exception("A page failed.")
        message = reader._(
            "Something unexpected went wrong. Reload the page; your runs are kept. Details are in the log."
        )
        st.error(verbatim(message), icon=":material/error:")


def go_to(page: str, *, query_params: Mapping[str, str] | None = None) -> NoReturn:
    """Go to another page.

    What the page asks for by itself is forgotten at once, not only when the other one is drawn: until then a browser
    goes on asking, and what it had asked was answered under the address of the page that was left, which took the other
    one or what its form held away again.
    """
    if context := get_script_run_ctx():
        context.fragment_storage.clear()
    st.switch_page(page, query_params=query_params)


NOTICE = "notice"
"""Where the session holds what to say once the page is drawn again."""


def show_notice() -> None:
    """Say what was done just now."""
    if notice := st.session_state.pop(NOTICE, ""):
        st.toast(verbatim(notice), icon=":material/info:")


class Counted(Protocol):
    """A part of what was found."""

    @property
    def total(self) -> int:
        """How much was found in all."""


_Part = TypeVar("_Part", bound=Counted)


def paged(find: Callable[[int], _Part], size: int, key: str) -> _Part:
    """Return the part at the place that the session holds under `key`; the last one, if there are fewer by now.

    `find` returns the part of at most `size` that begins at an offset.
    """
    place = st.session_state.get(key, 1)
    found = find((place - 1) * size)
    last = max(1, -(-found.total // size))
    if place > last:
        st.session_state[key] = last
        found = find((last - 1) * size)
    return found


def show_pagination(total: int, size: int, key: str) -> None:
    """Show the ways to the other parts, if there are any."""
    if total > size:
        st.pagination(-(-total // size), key=key, persist_state="session")


def not_kept(folder: Path, reader: Ui) -> str:
    """Return what to do when something cannot be written to a folder."""
    return reader._(
        "This could not be kept in {folder}. Check free disk space and permissions; nothing was changed."
    ).format(folder=folder)


def confirm(
    title: str,
    words: str,
    label: str,
    act: Callable[[], str],
    reader: Ui,
    *,
    subject: str = "",
    meanwhile: str = "",
) -> None:
    """Ask before something is thrown away.

    Args:
        title: the question.
        words: what follows from it.
        label: what stands on the button.
        act: does it, and returns what to say of it, if anything.
        reader: who is asked.
        subject: the name of what is thrown away.
        meanwhile: what is said while it is done, where that takes long.
    """

    @st.dialog(verbatim(title))
    def dialog() -> None:
        with no_traceback(reader):
            if subject:
                st.text(subject)
            st.caption(verbatim(words))
            with st.container(horizontal=True, horizontal_alignment="right"):
                cancelled = st.button(reader._("Cancel"), key="confirm_cancel")
                confirmed = st.button(verbatim(label), type="primary", icon=":material/delete:", key="confirm_act")
            if confirmed:
                with st.spinner(verbatim(meanwhile)) if meanwhile else nullcontext():
                    st.session_state[NOTICE] = act()
            if confirmed or cancelled:
                st.rerun()

    dialog()


def chart_title(words: str) -> dict[str, Any]:
    """Return what an axis counts, as the title of a chart: beside its axis it would stand on its side."""
    return {"text": words, "font": {"size": 13}, "x": 0, "xref": "paper", "y": 1, "yanchor": "top", "pad": {"t": 4}}
