"""What queries to the web and to connected servers may say, once documents of the user's own were read.

From the first page of one's own on, a query that leaves this computer holds only words of the brief, of what was
planned before anything was read, of pages of the open web, and ordinary words of searching. All other words are taken
out of it: they may stand in own documents alone, or spell them in another way. What a connected server told may go back
to that server, and nowhere else. Short words and figures count as known only where the user wrote them, since single
letters and figures can spell anything.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from research import core
from research.gaps import search_words
from research.text import expand, folded, is_stop_word, singular

_LATIN = re.compile(r"[A-Za-zÀ-ɏ0-9]+")
_WORD = re.compile(
    r"[A-Za-zÀ-ɏ0-9]+|[ぁ-ゖ]+|[ァ-ヺー]+|[㐀-䶿一-鿿豈-﫿々]+"
    r"|[^\W_]+?(?=[A-Za-zÀ-ɏ0-9ぁ-ゖァ-ヺー㐀-䶿一-鿿豈-﫿々]|\W|_|$)"
)
"""Latin words and figures, and runs of one Japanese script or of any other."""
_SIGNS = re.compile(r"[^\w\s.,'&/()%・、。-]|_")
_REPEATED = re.compile(r"([^\w\s])(?:\s*\1)+")
_SHORTEST = 3
"""Letters of a Latin word that a page of the web can make known."""
_YEARS = 10
"""Years before and after the day of the run that any query may name."""
_PARTICLE = 2
"""Hiragana that stand between words and say nothing."""
_SMALL = 100
"""The largest whole number that a tool may be given unseen: how many of something are wanted."""


class Outgoing:
    """The words that queries of one run may hold."""

    def __init__(self, told: str, today: date, *, is_free: bool) -> None:
        """Begin with the user's own words.

        Args:
            told: the brief in words.
            today: the day of the run.
            is_free: the user agreed that queries hold any word.
        """
        self._is_free = is_free
        self._known: set[str] = set()
        self._of_server: dict[str, set[str]] = {}
        self._has_private = False
        self._has_own = False
        self._unaware: set[str] = set()
        self._has_read = False
        self._learnt: set[str] = set()
        self._trust(told, *search_words(), *map(str, range(today.year - _YEARS, today.year + _YEARS + 1)))

    def hear(self, event: core.Event) -> None:
        """Learn from what happens in the run: what was said before a page of one's own was read holds no word of it."""
        match event:
            case core.PageRead(origin=origin):
                self._has_read = True
                self._has_own = self._has_own or origin.is_own
                self._has_private = self._has_private or origin.is_private
            case core.QuestionAdded(question=text):
                self._trust(text)
            case core.PlanSettled(edited=True, outline=outline):
                self._trust(outline.model_dump_json())
            case core.PlanDrafted(outline=outline) | core.PlanSettled(outline=outline):
                self._said(outline.model_dump_json())
            case core.TopicQueued(lane=lane, topic=topic, title=title):
                self._said(f"{topic} {title}")
                if not self._has_private:
                    self._unaware.add(lane)
            case core.SearchStarted(query=query):
                self._said(query)

    def is_unaware(self, lane: str) -> bool:
        """Whether the topic of a researcher was handed out before anything private was read.

        Until it has met a page itself, it knows of none, and may search as it likes.
        """
        return lane in self._unaware

    def query(self, query: str, pages: Iterable[core.Page], server: str = "") -> str:
        """Return `query` as it may be sent to the web or to `server`; empty if nothing is left that says anything."""
        if not self._is_guarded(pages, server):
            return query
        kept = _WORD.sub(lambda word: self._kept(word.group(), server) or " ", _plain(query))
        return " ".join(kept.split()) if any(map(_says_something, _WORD.findall(kept))) else ""

    def may_pass(self, arguments: str, pages: Iterable[core.Page], server: str) -> bool:
        """Whether the arguments (JSON) of a tool may be sent to `server` as they are."""
        if not self._is_guarded(pages, server):
            return True
        try:
            given = json.loads(arguments)
        except ValueError:
            return True  # They are no arguments, and nothing is sent.
        # The names of the parameters are the server's own.
        values = given.values() if isinstance(given, dict) else [given]
        return all(self._passes(leaf, server) for value in values for leaf in _leaves(value))

    def _passes(self, value: object, server: str) -> bool:
        if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _SMALL):
            return True
        text = _plain(str(value))
        is_plain = text == " ".join(unicodedata.normalize("NFKC", str(value)).split())
        return is_plain and all(self._kept(word, server) == word for word in _WORD.findall(text))

    def _is_guarded(self, pages: Iterable[core.Page], server: str) -> bool:
        """Learn the words of `pages`, and return whether anything was read that is not for `server` to know."""
        if self._is_free:
            return False
        for page in pages:
            if page.id in self._learnt:
                continue
            self._learnt.add(page.id)
            if page.origin.reach is core.Reach.CONNECTED:
                # Servers of tools go by their own names; any other source is one server, which no name of theirs hits.
                server_told = page.site if page.origin is core.SourceName.MCP else f"{page.origin}/"
                self._of_server.setdefault(server_told, set()).update(_forms(f"{page.text} {page.url}"))
            elif page.origin.is_own:
                self._has_own = True
            else:
                self._known.update(filter(_is_long, _forms(f"{page.title} {page.text}")))
        return self._has_own or any(name != server for name in self._of_server)

    def _trust(self, *texts: str) -> None:
        for text in texts:
            self._known.update(_forms(f"{text} {expand(text)}"))

    def _said(self, text: str) -> None:
        if not self._has_private:
            self._known.update(form for form in _forms(text) if not self._has_read or _is_long(form))

    def _kept(self, word: str, server: str) -> str:
        """Return what of a word may be sent to `server`: all of it, or nothing; of scripts without blanks, a part."""
        told = self._of_server.get(server, set())
        if _LATIN.fullmatch(word):
            form = singular(folded(word))
            return word if form in self._known or form in told or (len(form) > 1 and is_stop_word(form)) else ""
        if "ぁ" <= word[0] <= "ゖ" and len(word) <= _PARTICLE:
            return word
        return _covered(word, lambda form: form in self._known or form in told)


def _says_something(word: str) -> bool:
    return not is_stop_word(folded(word)) and not "ぁ" <= word[0] <= "ゖ"


def _plain(text: str) -> str:
    """Return `text` without signs, invisible characters and turns of letter case, in which anything could be hidden."""
    plain = _SIGNS.sub(" ", unicodedata.normalize("NFKC", text))
    usual = _LATIN.sub(lambda word: _usual(word.group()), _REPEATED.sub(r"\1", plain))
    return " ".join(usual.split())


def _usual(word: str) -> str:
    return word if word.islower() or word.isupper() or word[1:].islower() else word.lower()


def _covered(word: str, is_known: Callable[[str], bool]) -> str:
    """Return the characters of `word` that stand in one of its pairs that are known."""
    form = folded(word)
    if len(form) != len(word) or len(word) == 1:
        return word if is_known(form) else ""
    pairs = [is_known(form[at : at + 2]) for at in range(len(form) - 1)]
    return "".join(letter for at, letter in enumerate(word) if any(pairs[max(0, at - 1) : at + 1]))


def _forms(text: str) -> Iterator[str]:
    """Yield what the words of `text` are compared by: Latin ones in the singular, others as pairs of characters."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", text)):
        form = folded(word)
        if _LATIN.fullmatch(word):
            yield singular(form)
        elif len(form) == 1:
            yield form
        else:
            yield from (form[at : at + 2] for at in range(len(form) - 1))


def _is_long(form: str) -> bool:
    """Whether a word of the web is known by standing there; letters, short words and figures could spell anything."""
    if not _LATIN.fullmatch(form):
        return len(form) > 1
    return len(form) >= _SHORTEST and form.isalpha()


def _leaves(value: Any) -> Iterator[object]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value
