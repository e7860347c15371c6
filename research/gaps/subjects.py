"""Whom pages are about and of which edition they are, what a brief excludes, and what a source is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from urllib.parse import unquote

from rapidfuzz import fuzz

from research.core import Brief, Page, SourceKind
from research.language import Language
from research.quantities import extent, periods
from research.text import (
    Asked,
    Name,
    Operation,
    asked_concepts,
    cells,
    columns,
    countries_in,
    expand,
    folded,
    is_company_form,
    japanese_terms,
    language_of,
    mentions_in,
    month_alone,
    names_in,
    sound_of,
    stands_whole,
    tokens,
    values_of,
)


def is_excluded(quote: str, brief: Brief) -> bool:
    """Whether a quote speaks of something that the brief excludes: all that one exclusion says stands in it."""
    found, low = set(tokens(quote)), folded(quote)
    return any(_says(exclusion, found, low) for exclusion in brief.exclusions)


def _says(exclusion: str, found: set[str], low: str) -> bool:
    concepts, names = asked_concepts(exclusion), names_in(exclusion)
    if not concepts and not names:
        return folded(exclusion) in low
    return all(one.match(found) >= 0.9 for one in concepts) and all(name.stands_in(low) for name in names)


def source_of(page: Page, language: Language) -> str:
    """Return the host of a page of the web, for others the name of the collection."""
    if not page.origin.is_open:
        return page.origin.label.in_(language)
    return re.sub(r"[^\w.:-]", "", page.site)[:60] or page.origin.label.in_(language)


# --- which edition of a document a question means, and which time that is of ---------------------------------------

_OPENS = 3_000
"""Characters in which a document says which period it reports on."""
_ENDED = re.compile(
    r"\b(?:period|quarter|months|year)\s+ended\s+(?P<en>[a-z]+\s+\d{1,2},?\s+\d{4})"
    r"|(?:至|から)\s*(?P<ja>[^\s0-9０-９]{0,2}[0-9０-９元]{1,4}年[0-9０-９]{1,2}月[0-9０-９]{1,2}日)",
    re.IGNORECASE,
)
"""How a report says until when it goes."""
_LATEST = re.compile(
    r"\b(?:latest|most recent|newest)\s+(?:[a-z]+\s+)?(?:quarter|10-[KQ]|filing|report|results|earnings)\b"
    r"|(?:直近|最新)の?(?:四半期|[一-鿿]*決算|[一-鿿]*報告書?|[一-鿿]*短信)",
    re.IGNORECASE,
)
_FORM = re.compile(r"\b10-[KQ]\b", re.IGNORECASE)
_LATE_DAYS = 7
"""Days of a month that still belong to the quarter before: quarters of whole weeks end on 1 October, say."""


@dataclass(frozen=True)
class _Edition:
    """What a document says of the time that it reports on."""

    quarters: tuple[str, ...]
    """As its title or its file calls them, `2023-Q1`; else the one of the calendar in which its period ends."""
    end: str
    """The last day of its period, `2022-12-31`; empty where it does not say it."""


def editions_asked(asked: Asked, pages: Sequence[Page]) -> tuple[Sequence[Page], Sequence[Page]]:
    """Return the documents that are the edition which is asked for, and the other editions of the same documents.

    Both are empty where none is asked for, or it is not there: then what others say of its time may answer.
    """
    wanted = _named(asked.question, "quarter")
    if asked.wants_series or not (wanted or _LATEST.search(asked.question)):
        return (), ()
    form = _FORM.search(asked.question)
    told = {page.id: edition for page in pages if (edition := _edition(page))}
    known = [page for page in pages if page.id in told and (form is None or form.group().casefold() in _opens(page))]
    chosen: list[Page] = []
    others: list[Page] = []
    for of_one in _by_name(known, asked.names):
        last = max((told[page.id].end for page in of_one), default="")
        meant = [page for page in of_one if _is_meant(told[page.id], wanted, last)]
        chosen += meant
        others += [page for page in of_one if page not in meant] if meant else []
    return chosen, [page for page in others if page not in chosen]


def _is_meant(edition: _Edition, quarters: Sequence[str], last: str) -> bool:
    """Whether a document is of one of these quarters; where none is asked for, whether its period ends `last`."""
    if quarters:
        return any(_is_same(one, own) for one in quarters for own in edition.quarters)
    return bool(last) and edition.end == last


def as_editions_count(asked: Asked, pages: Sequence[Page]) -> Asked:
    """Return a question with its time as the edition that is asked for counts it: its Q1 2023 may end in 2022."""
    chosen, _ = editions_asked(asked, pages)
    ends = sorted({edition.end for page in chosen if (edition := _edition(page)) and edition.end})
    if not ends:
        return asked
    years = [end[:4] for end in ends]
    return replace(asked, years=tuple(dict.fromkeys(years)), months=tuple(dict.fromkeys(end[:7] for end in ends)))


def _with_month(asked: Asked, documents: Sequence[Page]) -> Asked:
    """Return a question that names a month without its year with the last such month of which there is a document."""
    if asked.years or asked.months or (named := month_alone(asked.question)) is None:
        return asked
    told = {month for page in documents for month in ((page.published or "")[:7], *_named(page.title, "month"))}
    last = max((month for month in told if month[5:] == f"{named:02}"), default="")
    return replace(asked, months=(last,)) if last else asked


def _by_name(pages: Sequence[Page], names: Sequence[Name]) -> list[list[Page]]:
    """Return the pages about each of those who are asked about; all together where nobody is."""
    named = [[page for page in pages if name.stands_in(_opens(page))] for name in names if not name.is_place]
    return [of_one for of_one in named if of_one] or [list(pages)]


def _is_same(one: str, other: str) -> bool:
    """Whether two quarters may be meant for the same: Q3 of a fiscal year is that of the year of this name as well."""
    first, second = extent(one), extent(other)
    alike = first is not None and second is not None and not first.labels.isdisjoint(second.labels)
    return alike and one[-2:] == other[-2:]


def _named(text: str, granularity: str) -> list[str]:
    """Return the periods of this length that a text names: `2025-04`, `2025-Q1`."""
    return [one.value for one in periods(text) if one.granularity == granularity]


def _edition(page: Page) -> _Edition | None:
    return _dated(_called(page), page.text[:_OPENS]) if page.kind is SourceKind.DOCUMENT else None


def _called(page: Page) -> str:
    return f"{unquote(page.url.rpartition('/')[2])} {page.title}"


def _opens(page: Page) -> str:
    return folded(f"{_called(page)} {page.text[:_OPENS]}")


@lru_cache(maxsize=256)
def _dated(called: str, head: str) -> _Edition | None:
    match = _ENDED.search(head)
    said = periods(" ".join((match["en"] or match["ja"]).split()).title()) if match else []
    end = next((one.value for one in said if one.granularity == "day"), "")
    quarters = _named(re.sub(r"[_-]", " ", called), "quarter") or ([_of_calendar(end)] if end else [])
    return _Edition(tuple(quarters), end) if quarters else None


def _of_calendar(end: str) -> str:
    year, month, day = map(int, end.split("-"))
    if day <= _LATE_DAYS:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return f"{year}-Q{(month + 2) // 3}"


# --- whom a page is about -------------------------------------------------------------------------------------------

_HEAD = 2_000
"""Characters in which a document says whose it is."""
_OPENING = 500
"""The same of a page of others: further down it may list anybody."""
_SEVERAL = 3
"""Times that a document names whom it is about, at least."""
_COMPANY = re.compile(
    r"\b[a-z]?[A-Z][\w&.-]*,? (?:Inc|INC|Corp|CORP|Corporation|CORPORATION|Ltd|LTD|LLC|plc|Company|COMPANY)\b"
    r"|株式会社[一-鿿ァ-ヺー]|[一-鿿ァ-ヺー]株式会社"
)
"""How the head of a document names the company whose it is."""
_OURSELVES = re.compile(r"(?:株式会社[^\s（(]{1,30}|[^\s（(「]{1,30}株式会社)[（(]以下、?[「『]?当社")
"""How a document says anywhere that it is that company's."""
_KINDS = ("市", "区", "町", "村", "県", "府", "都")
"""What a place of Japan is, which a question that lists several leaves out."""
_WHOSE = re.compile(r"への|における|では|の")
"""What stands between somebody and what is asked of them: 石川県への観光客."""
_SHORTEST = 6
"""Columns of a title's part from which it is somebody: 利益 may stand in any."""
_WIDE_RUN = re.compile(r"[一-鿿々]{2,}|[ァ-ヺー]{2,}")


_KATAKANA = re.compile(r"[ァ-ヺー]{3,20}")
_LEADING = re.compile(rf"(?:{_KATAKANA.pattern}社?[と、や])*{_KATAKANA.pattern}(?:社|グループ)?(?=[のはがとを])")
"""Whom a Japanese question begins with."""
_JOINED = re.compile(r"[ァ-ヺー]{2,12}・[ァ-ヺー]{2,12}(?=[のはがとを])")
"""One whose name is of two words: コカ・コーラ."""
_LATIN = re.compile(r"[A-Z][A-Za-z'’&]{2,}(?:[ -][A-Z][A-Za-z'’&]{2,}){0,2}")
_OF_ANY_FIRM = re.compile(
    r"(?:inc|corp|corporation|co|company|ltd|llc|plc|group|holdings|the|form|annual|report)", re.IGNORECASE
)
_IN_KATAKANA = re.compile(r"[ァ-ヺー・]{3,30}")
_SOUNDS_ALIKE = 75
"""Likeness (0-100) of their consonants from which a Latin name is one in katakana: サムスン and Samsung have 89."""


_SHORT_SOUND = 3
"""Consonants of a name up to which only titles tell it: those of アップル, f and r, are also those of “for”."""


_INITIALS = re.compile(r"(?<![A-Za-z0-9&])(?:[A-Z]{1,4}&[A-Z]{1,3}|[A-Z]{2,5})(?![A-Za-z0-9&])")
_FIRM = r" *,? +(?:co|corp|inc|ltd|plc|llc|company|corporation|group|holdings)\b"
_TITLED_FIRM = re.compile(rf"(?:the )?(?P<who>.{{3,60}}?){_FIRM}", re.IGNORECASE)
_JOINS, _WHOSE_EN = re.compile(r"[^\w&]+"), re.compile(r"['’]s\b")
_WHO_GREW = re.compile(
    r"(?:(?:which|what) )?(?:of (?:our|the) )?"
    r"(?:countr(?:y|ies)|regions?|markets?|segments?|products?|models?|customers?|business(?:es)?|divisions?)"
    r"(?: (?:is|are|was|were|has|have|been|did|we|grow\w*|grew|fast\w*|the|most|strongest))*[?.]?"
    r"|(?:最も|もっとも|一番|いちばん)?(?:成長|伸び)(?:し|し?て)*(?:いる|た|る)?"
    r"(?:国|地域|市場|製品|商品|機種|顧客|部門|事業)(?:は|はどこ|はどれ)?[?？。]?",
    re.IGNORECASE,
)
"""What asks only who grew, and not what of them."""
_SALES = {Language.EN: "sales", Language.JA: "売上"}
_ARTICLE = re.compile(r"^(?:the|a) (?:[A-Z]\. ?)*", re.IGNORECASE)


def as_documents_know(asked: Asked, pages: Iterable[Page]) -> Asked:
    """Return a question with those among its names whom only documents tell to be somebody, and its time as they count.

    In カナレ電気の海外売上比率, somebody is asked about if a document has カナレ電気 in its title;
    in 市川・松戸の出生数, if rows of a table are about 市川市 and 松戸市.
    """
    pages = list(pages)
    documents = [page for page in pages if page.kind is SourceKind.DOCUMENT]
    is_of_own = bool(documents) and (asked.is_ours or len(documents) == len(pages))
    asked = _with_month(as_editions_count(asked, documents), documents)
    asked = _with_initials(asked, [page.title for page in documents])
    asked = _with_firms(asked, [page.title for page in documents])
    if is_of_own and asked.ranks_growth and _WHO_GREW.fullmatch(asked.attributes[0]):
        sales = _SALES[language_of(asked.question)]  # Of one's own markets nothing else is meant.
        asked = replace(asked, attributes=(sales,), wordings=(sales,), abouts=())
    titles = [folded(page.title) for page in documents]
    rows = frozenset().union(*(_told_of(page.text) for page in documents))
    names: dict[str, Name] = {}
    parts: dict[str, str] = {}
    for attribute, wording in zip(asked.attributes, asked.wordings, strict=True):
        who, what = _WHOSE.split(attribute, 1) if _WHOSE.search(attribute) else (attribute, "")
        low = folded(who := who.strip(" とや、"))  # English names are told by their capitals.
        called = (*(f"{low}{kind}" for kind in _KINDS), *((low,) if low.endswith(_KINDS) and len(low) > 2 else ()))
        whole = next((one for one in called if one in rows), "")
        if whole and language_of(who) is Language.JA:
            names[low] = Name(who, who, (whole, low))
            if what:
                parts.setdefault(what, wording)
            continue
        is_term = any(term.end - term.start == len(who) for term in japanese_terms(who))
        if not what or is_term or columns(low) < _SHORTEST or not any(low in title for title in titles):
            parts.setdefault(attribute, wording)
            continue
        names[low] = Name(who, who, (low,))
        parts.setdefault(what, wording)
    if not names:
        return asked
    known = (*asked.names, *names.values())
    if not parts:  # All that it names has been found to be somebody.
        parts[asked.question] = asked.question
    return replace(asked, names=known, attributes=tuple(parts), wordings=tuple(parts.values()), abouts=())


def _with_initials(asked: Asked, titles: Iterable[str]) -> Asked:
    """Return a question with those among its names whose initials it gives: P&G where a title has Procter & Gamble."""
    words = dict.fromkeys(_INITIALS.findall(asked.question))
    known = [name for name in asked.names if not (name.is_place or _INITIALS.fullmatch(name.en))]
    found: dict[str, Name] = {}
    for word in (one for one in words if not any(one in name.en for name in known)):
        letters = r"[^\W\d_]* *".join(map(re.escape, word))
        whole = re.compile(rf"({letters}[^\W\d_]*)(?={_FIRM})", re.IGNORECASE)
        told = (match[0] for title in titles if (match := whole.match(_ARTICLE.sub("", title))))
        if full := next((one for one in told if len(one) > 2 * len(word)), ""):
            found[word] = Name(word, word, (folded(word), folded(full)))
    if not found:
        return asked
    called = re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, found))})(?:'s(?!\S)|[のはがとや、]|(?!\S))")
    parts = {
        " ".join(called.sub(" ", attribute).split()) or asked.question: wording
        for attribute, wording in zip(asked.attributes, asked.wordings, strict=True)
    }
    names = (*(name for name in asked.names if name.en not in found), *found.values())
    return replace(asked, names=names, attributes=tuple(parts), wordings=tuple(parts.values()), abouts=())


def _with_firms(asked: Asked, titles: Iterable[str]) -> Asked:
    """Return a question with whom it names otherwise than titles do: home depot, coca cola, ホームデポ.

    One word alone names a firm where something of it is asked for, or the question begins with it: mcdonald's
    marketing, Nike inventory, and no target.
    """
    said, owned = f" {_loose(asked.question)} ", f" {_loose(asked.question, apart=True)} "
    leading = _JOINED.match(asked.question) or _KATAKANA.match(asked.question)
    heard = leading.group() if leading else ""
    found: dict[str, Name] = {}
    for who in sorted({match["who"] for title in titles if (match := _TITLED_FIRM.match(title))}):
        low = _loose(who)
        if spelt := next((name for name in asked.names if low in (_loose(name.en), _loose(name.ja))), None):
            forms = tuple(dict.fromkeys((*spelt.forms, folded(who))))
            asked = replace(
                asked, names=tuple(replace(one, forms=forms) if one is spelt else one for one in asked.names)
            )
            continue
        if any(name.stands_in(folded(who)) for name in asked.names):
            continue
        is_alike = heard and fuzz.ratio(sound_of(heard.replace("・", "")), sound_of(who)) >= _SOUNDS_ALIKE
        is_owner = f" {low} s " in owned or said.startswith(f" {low} ")
        if is_alike or (f" {low} " in said and (" " in low or is_owner)):
            forms = (folded(who), low, low.replace(" ", "-"), *((folded(heard),) if is_alike else ()))
            found[heard if is_alike else low] = Name(who, heard if is_alike else who, tuple(dict.fromkeys(forms)))
    if not found:
        return asked
    bare = ((_without(attribute, found), _without(told, found)) for attribute, told in asked.clauses)
    parts = {what or asked.question: told or what or asked.question for what, told in bare}
    names = (*asked.names, *found.values())
    return replace(asked, names=names, attributes=tuple(parts), wordings=tuple(parts.values()), abouts=())


def _without(said: str, called: Iterable[str]) -> str:
    """Return what is asked without whom it is asked of, as they are called in it."""
    words = {word for one in called for word in one.split()}
    left = " ".join(one for one in said.split() if not words.issuperset(_loose(one).split()))
    for one in called:
        left = re.sub(rf"^{re.escape(one)}社?[のはがとを]?", "", left)
    return left


def _loose(text: str, *, apart: bool = False) -> str:
    """Return a text without what firms' names are joined by, and whose something is; or with that as a word."""
    return " ".join(_JOINS.sub(" ", _WHOSE_EN.sub(" s" if apart else "", folded(text))).split())


@lru_cache(maxsize=256)
def _told_of(text: str) -> frozenset[str]:
    """Return whom the rows of a data file are about, folded."""
    rows = (one for one in values_of(text) if one.is_row and "|" not in text[one.start : one.end])
    return frozenset(folded(cell) for one in rows for cell in one.subject.split("; ") if cell)


_OF_PLACES = 2 / 3
"""Share of a document's mentions of countries from which it is one on those asked for, whom it seldom names again."""


class Subjects:
    """Whom a question is about, and which pages are about them.

    A page of others (an almanac, the web) tells by its title whom it is about; a document of one's own also by its head
    and by naming it again and again.
    """

    def __init__(self, asked: Asked, pages: Iterable[Page]) -> None:
        """Look for the names of a question on the pages that were read."""
        self.asked = asked
        self._pages = tuple(pages)
        self._of: dict[str, tuple[Name, ...]] = {}
        self._plain: dict[str, bool] = {}
        self.names = (*map(self._as_spelt, asked.names), *self._unheard_of())
        self._other_editions = frozenset(page.id for page in editions_asked(asked, self._pages)[1])
        self.places = tuple(name for name in asked.names if name.is_place)

    def of(self, page: Page) -> tuple[Name, ...]:
        """Return the names that a page is about."""
        if page.id not in self._of:
            self._of[page.id] = self._titling(page)
        return self._of[page.id]

    def _titling(self, page: Page) -> tuple[Name, ...]:
        title = folded(f"{page.title} {page.url.rsplit('/', 1)[-1]}")
        if titled := tuple(name for name in self.names if name.stands_in(title)):
            return titled
        if page.kind is SourceKind.DOCUMENT:
            head = folded(page.text[:_HEAD])
            others = [name for name in self.names if not name.is_place]
            return tuple(name for name in others if name.stands_in(head) or self._is_named_most(page, name))
        if countries_in(page.title):
            return ()
        opening, is_short = folded(page.text[:_OPENING]), len(page.text) <= _HEAD
        told = (name for name in self.names if name.stands_in(opening))
        return tuple(name for name in told if is_short or self._counts[name][page.id] > 1)

    def _unheard_of(self) -> Iterator[Name]:
        """Yield whom the question begins with in katakana, if no page says it so: as it is spelt there, if it is.

        トヨタの売上高 is not answered by what another firm sells. What the dictionary knows may be said in other words.
        """
        if joined := _JOINED.match(self.asked.question):
            word = joined.group().replace("・", "")
            if heard := self._in_latin(word):
                yield Name(heard, joined.group(), (folded(joined.group()), folded(heard)))
                return
        match = _LEADING.match(self.asked.question)
        for word in _KATAKANA.findall(match.group()) if match else ():
            is_known = any(word in form for name in self.asked.names for form in (name.ja, *name.forms))
            low = folded(word)
            if is_known or expand(word) != word or any(low in text for text in self._lows.values()):
                continue
            heard = self._in_latin(word)
            yield Name(heard or word, word, (low, folded(heard)) if heard else (low,))

    def _in_latin(self, word: str) -> str:
        """Return how titles of pages, or their heads, spell a word in katakana, in up to three words; else nothing."""
        sound = sound_of(word)
        alike: dict[str, tuple[float, bool]] = {}
        for page in self._pages:
            said = page.title if len(sound) <= _SHORT_SOUND else f"{page.title}\n{page.text[:_HEAD]}"
            for run in set(_LATIN.findall(said)):
                words = re.split(r"(?<=[ -])", run)
                for one in ("".join(words[: at + 1]).rstrip(" -") for at in range(len(words))):
                    if not _OF_ANY_FIRM.fullmatch(one):
                        alike[one] = (fuzz.ratio(sound, sound_of(one)), one in page.title)
        best = max(sorted(alike), key=alike.__getitem__, default="")
        return best if best and alike[best][0] >= _SOUNDS_ALIKE else ""

    def _as_spelt(self, name: Name) -> Name:
        """Return a name that no page says as pages spell it in the other letters, if one there sounds like it."""
        if (
            not name.is_place
            and _IN_KATAKANA.fullmatch(name.ja)
            and not any(self._names(name, low) for low in self._lows.values())
        ):
            heard = self._in_latin(name.ja)
            return Name(heard, name.ja, (*name.forms, folded(heard))) if heard else name
        is_latin = not name.is_place and name.ja == name.en and name.en.isascii() and name.en.isalpha()
        if not is_latin or any(self._names(name, low) for low in self._lows.values()):
            return name
        sound = sound_of(name.en)
        heads = " ".join(f"{page.title} {page.text[:_HEAD]}" for page in self._pages)
        alike = {said: fuzz.ratio(sound, sound_of(said)) for said in set(_KATAKANA.findall(heads))}
        best = max(sorted(alike), key=lambda said: (alike[said], len(said)), default="")
        if alike.get(best, 0.0) < _SOUNDS_ALIKE:
            return name
        return Name(name.en, best, (*name.forms, folded(best)))

    @property
    def is_missing(self) -> bool:
        """Whether no page names any of those, or of those places, that are asked about."""
        missing = frozenset(self.missing)
        return bool(missing) and missing.issuperset(self.places or self.names)

    def is_of_others(self, page: Page) -> bool:
        """Whether a document is a company's none of whose names is asked for, and says none of them."""
        is_of_firm = page.kind is SourceKind.DOCUMENT and _is_of_firm(page)
        others = [name for name in self.names if not name.is_place]
        return bool(is_of_firm and others) and not any(self._names(name, self._lows[page.id]) for name in others)

    def are_meant(self, page: Page, said: str) -> bool:
        """Whether what stands on a page under its heading (`said`) may answer: it is about somebody asked for, then."""
        # Rows on others tell the whole of which a share is asked.
        is_of_whole = self.asked.operation is Operation.RATIO and page.kind is SourceKind.DOCUMENT and bool(cells(said))
        if page.id in self._other_editions or (not is_of_whole and self._is_row_on_others(said)):
            return False
        return is_of_whole or self._is_about_them(page, said)

    def _is_row_on_others(self, said: str) -> bool:
        """Whether a row of a table says of which country it is, and that is none of those asked for."""
        if not self.places or not cells(said) or not countries_in(said):
            return False
        return not any(self._names(name, folded(said)) for name in self.places)

    def _is_about_them(self, page: Page, said: str) -> bool:
        if not self.names:
            is_aside = self.asked.is_ours and page.kind is not SourceKind.DOCUMENT and bool(countries_in(page.title))
            return not is_aside
        low = folded(said)
        if (
            self.places
            and self._firms
            and page.kind is SourceKind.DOCUMENT
            and not any(name in self._firms for name in self.of(page))
        ):
            return any(self._names(name, low) for name in self._firms)
        if self.of(page) or not self._told:
            return True
        if any(self._names(name, low) for name in self.names if name in self._told):
            asks_for_places = any(name.is_place for name in self.names)
            return not (asks_for_places and page.kind is not SourceKind.DOCUMENT and countries_in(page.title))
        # Documents of one's own seldom name those whose they are; those of others say so at once.
        asks_for_others = not any(name.is_place for name in self.names)
        if not asks_for_others:
            return page.kind is SourceKind.DOCUMENT and not self._firms and page.id in self._of_places
        return page.kind is SourceKind.DOCUMENT and not (_is_of_firm(page) or _OURSELVES.search(page.text))

    def _is_named_most(self, page: Page, name: Name) -> bool:
        """Whether a document names somebody again and again, and no other document more often."""
        counts = self._counts[name]
        return counts[page.id] >= _SEVERAL and counts[page.id] == max(counts.values())

    @cached_property
    def _lows(self) -> dict[str, str]:
        return {page.id: folded(page.text) for page in self._pages}

    @cached_property
    def _counts(self) -> dict[Name, dict[str, int]]:
        called = {name: name.forms[0] if self._is_plain(short(name)) else short(name) for name in self.names}
        return {name: {page: low.count(called[name]) for page, low in self._lows.items()} for name in self.names}

    def _names(self, name: Name, low: str) -> bool:
        """Whether a folded text says a name, or its short form as a word: no Ford stands in afford."""
        if name.stands_in(low):
            return True
        return stands_whole(short(name), low) and not self._is_plain(short(name))

    def _is_plain(self, word: str) -> bool:
        """Whether what somebody is called for short is a word that pages seldom write as a name: General Motors."""
        if word not in self._plain:
            said = [one for page in self._pages for one in re.findall(rf"(?i)\b{re.escape(word)}\b", page.text)]
            self._plain[word] = 2 * sum(map(str.islower, said)) > len(said)
        return self._plain[word]

    @cached_property
    def _told(self) -> frozenset[Name]:
        """The names that any page is about or mentions."""
        lows = [f"{folded(page.title)}\n{self._lows[page.id]}" for page in self._pages]
        return frozenset(name for name in self.names if any(self._names(name, low) for low in lows))

    @cached_property
    def _of_places(self) -> frozenset[str]:
        """The pages that speak for the most part of the countries asked for, as all that they say does.

        Those that speak of no country as well, unless others' pages are on those asked for, which is not our own then.
        """
        are_told = not self.asked.is_ours and any(
            page.kind is not SourceKind.DOCUMENT and self.of(page) for page in self._pages
        )
        return frozenset(page.id for page in self._pages if self._speaks_of_places(page, least=int(are_told)))

    def _speaks_of_places(self, page: Page, least: int) -> bool:
        counts = mentions_in(page.text)
        own = sum(counts[place.en] for place in self.places)
        return own >= max(least, _OF_PLACES * counts.total())

    @cached_property
    def _firms(self) -> frozenset[Name]:
        """The names that are no places and that documents are about: beside them, a place is a market, no subject."""
        others = [name for name in self.names if not name.is_place]
        return frozenset(name for name in others if any(name in self.of(page) for page in self._pages))

    @cached_property
    def missing(self) -> tuple[Name, ...]:
        """The names that no page says; of names that a page in another language may write its own way, none."""
        written = {language_of(page.text) for page in self._pages}
        return tuple(
            name for name in self.names if name not in self._told and (name.is_place or language_of(name.ja) in written)
        )


@lru_cache(maxsize=256)
def _is_of_firm(page: Page) -> bool:
    """Whether a document is a company's: its head says so, or its title names one that its sentences name again."""
    if _COMPANY.search(f"{page.title}\n{page.text[:_HEAD]}"):
        return True
    titled = [name.en for name in names_in(f"On {page.title}") if not name.is_place]  # The first word may be one.
    said = (re.findall(rf"(?<=[a-z,] ){re.escape(name)}\b", page.text) for name in titled)
    return any(len(found) >= _SEVERAL for found in said)


def short(name: Name) -> str:
    """Return what something is called for short, folded: Ford Motor is Ford, トヨタ自動車 トヨタ, Home Depot itself."""
    if name.is_place:
        return folded(name.en)
    if language_of(name.ja) is Language.JA:
        run = _WIDE_RUN.match(name.ja)
        return folded(run.group() if run else name.ja)
    first, *others = name.en.split(" ")
    return folded(first if all(map(is_company_form, others)) else name.en)
