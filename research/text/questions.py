"""A question taken apart: whom it is about, what is asked of them, when, and what is to be done with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from research.language import Bilingual, Language, Phrase
from research.text.lexicon import split_beside_terms
from research.text.names import Name, compared_in, names_in, regions_in
from research.text.values import number_in
from research.text.words import folded, language_of

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTH_NAMES = "january february march april may june july august september october november december"
MONTHS = _MONTH_NAMES.split()
"""English names of the months, in order."""
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\s+((?:19|20)\d\d)|((?:19|20)\d\d)年(\d{{1,2}})月", re.IGNORECASE)
_FISCAL_JA = re.compile(r"((?:19|20)\d\d)年度")
_WHEN = re.compile(
    r"\b(?:(?:in|from|since|between|during|for|by|until|to|and|of)\s+)?(?:the\s+)?(?:fiscal\s+(?:year\s+)?)?"
    rf"(?:(?:{'|'.join(MONTHS)})\s+)?(?:19|20)\d\d\b(?:-\d\d)?"
    r"|(?:19|20)\d\d年(?:度|\d{1,2}月期?)?(?:から|にかけて|まで|以降|以来|以前)?(?:に|の)?",
    re.IGNORECASE,
)
_SPLIT_EN = re.compile(r"[,;:?!]|\band\b|\bor\b", re.IGNORECASE)
_OPENS = re.compile(r"^.*\bknow (?:about|of)\b\s*(?:before (?:an?|the|my|our) \w+)?|^\s*tell me about", re.IGNORECASE)
"""What only says that a question is open."""
_IDIOMS = {
    "which partners": (re.compile(r"\b(?:to|with|from|by) whom\b", re.IGNORECASE), "partners"),
    "GDP": (re.compile(r"\bhow (?:large|big) (?:is|are|was) [\w' ]{0,40}\beconom(?:y|ies)\b", re.IGNORECASE), "GDP"),
    "population": (
        re.compile(
            r"\bhow many (?:people|inhabitants|persons) (?:live|there are|are there|does|do|has|have)\b|何人(?:が)?住",
            re.IGNORECASE,
        ),
        "population",
    ),
    "for how much money": (re.compile(r"\bfor how much\b", re.IGNORECASE), "revenue"),
}
"""What is asked in words that say nothing by themselves: how it is worded, and what it asks for."""
_OF_ANOTHER = frozenset(("partners",))
"""Of these, what is asked of something that was asked before: what is exported, and to whom."""
_SPLIT_JA = re.compile(
    r"[、，。？?]|および|及び|ならびに|並びに|(?<=[一-鿿ァ-ヶーA-Za-z0-9])(?<!何)(?<!何[人件円社台個])(?:と|や)\s*(?=[一-鿿ァ-ヶA-Za-z])"
)
_TRADED_JA = re.compile(r"(?:何を)?(?:どの国|どこ|誰|だれ)(?:に|へ|から)(輸出|輸入)(?:し(?:て(?:い(?:る|ます))?)?)?")
"""What asks for what is traded, and for with whom: どの国に輸出し."""
_OF_BEFORE = re.compile(r"\b(?:it|them|they|those)\b", re.IGNORECASE)
"""What stands for something that was asked before: sales targets, and will it reach them."""
_MEASURE = r"(?:size|growth|rate|share|level|number|volume|value|規模|成長|割合|水準|推移|数量|金額)"
_MEASURES_OF = re.compile(
    rf"\b({_MEASURE}) and ({_MEASURE}) of (?:the )?([a-z]+)\b|([一-鿿ァ-ヶー]+)の({_MEASURE})[とや]({_MEASURE})"
)
"""Two measures of one thing: size and growth of the market, 市場の規模と成長."""
_OWN_SOURCES = re.compile(
    r"\b(?:join |using |from )?(?:my|our|your)(?: own)? (?:documents|files|papers|data)(?: with)?\b"
    r"|(?:社内|自社の?|当社の?|手元の)(?:資料|文書|書類)(?:[とやをか]ら?、?)?",
    re.IGNORECASE,
)
"""Where is to be looked, not what is asked."""
_WORD = re.compile(r"[A-Za-z0-9](?:[\w'’./&-]*[A-Za-z0-9])?")
_LISTED = re.compile(r"^[ \t]*(?:[-*•–][ \t]+|・[ \t　]*|\d{1,2}[.)．][ \t　]+)(?=\S)(.+)$", re.MULTILINE)
"""A line of a question that lists what is asked, point by point."""
_ABOUT = re.compile(r"\s*([^:：]{1,80})[:：]\s*(?=\S)(.+)")
"""Such a line that says first whom it is about: Japan: inflation."""
_CAPITALS = re.compile(
    r"(?<![A-Za-z0-9_-])(?:[A-Z]{4,}|[A-Z]{2,}-\d+)(?![A-Za-z0-9_-])|[ァ-ヺー]{3,20}・[ァ-ヺー・]{2,}"
)
"""What is a name without the form of one: NVIDIA, AN-300, エービーシー・マート."""
_OVERVIEW = {Language.EN: ("overview", "background"), Language.JA: ("概要", "背景")}
"""What is asked where a question is open and names nothing but its subject."""
_MOST_PARTS = 12
MOST_WITHIN = 30
"""Values that are found of a question which sets them a limit: as many as a report can list."""
_LONGEST = 4_000
"""Characters of a question that are looked at."""
_STOP_WORDS = (
    "a about according all an any are as at be been being between both brought bring by can compare "
    "compared could decide decided did do does done each end for from give given had has have high how i if "
    "in into is it its large list long many me more most much my name of on or our out over per should show "
    "so tell than that the their them there these they this those three time times to together us want "
    "wanted was we were what when where which who whom whose why will with would you change changed country "
    "countries territories higher highest largest lowest smallest oldest relation set really go "
    "until since during before after come comes came get gets got spend spends spent"
)
_STOPS = frozenset(_STOP_WORDS.split())
"""Words of English questions that say nothing of what is asked."""
_ENDING_JA = re.compile(
    r"(?:に(?:ついて|関して)|(?:の(?:面|点|観点|視点))?から|[はがをにで]|とは)?(?:、)?(?:どれ|いくら|いくつ|何|どう|どこ|どの|いつ|誰|だれ|なぜ|どのよう|それぞれ|比べ|比較|挙げ|教え|説明|述べ"
    r"|整理|検討|分析|評価|合わせて(?:検討|考)).*$"
)
_STARTING_JA = re.compile(r"^(?:なぜ|どの|どこの|何が|その|それぞれの?|うち)|^[のはがをにでと、\s]+")
_EXTREME_JA = re.compile(
    r"(?:世界(?:中)?で|国内で)?(?:最も|もっとも|一番|いちばん)|[がは](?:最[大小高低多少長短])(?:の|だ|で|な).*$"
    r"|(?:世界|国内)?最[大小高低多少長短]の"
    r"|(?<=[一-鿿ァ-ヶーA-Za-z])[がはの](?:世界(?:中)?で)?(?:最も|もっとも|一番|いちばん)?"
    r"(?:大き|小さ|高|低|多|少な|長|短|広|狭|速|遅|古|新し|若|強|弱|深|重|軽|安)(?:い|かった|く).*$"
)
"""What asks for an extreme, around the thing of which it is asked: 面積が最も大きい国."""
_WHY_JA = re.compile(r"なぜ、?([一-鿿ァ-ヶー]{2,})")
"""What a reason is asked for: なぜ延期されたのですか."""
_WHICH_JA = re.compile(r"(?:どのような|どんな|どういう|どの|何の)(?=[一-鿿ァ-ヶA-Za-z])|何を(?=[一-鿿ぁ-ん])")
"""What asks before the thing that is asked: どのような売上目標."""
_VERB_JA = re.compile(r"[をがにはで][一-鿿]{1,3}[ぁ-ん]{1,4}$")
"""A verb at the end of a clause: 売上目標を立て."""
_OPERATING_JA = re.compile(r"(?<=.)の(?:合計|総計|総和|差|推移|変化|増減|比較|違い|順位|順)$")
"""What is to be done with what is asked, at its end: 人口の合計."""
_ASIDE_JA = re.compile(
    r"(?:主な|ととも(?:に|$)|ともに|にあたり|対)|(?:です|ます|でした|ました|ください|下さい)か?$|[はがをにでと]$"
)


class Operation(Enum):
    """What is to be done with what is found."""

    LOOK_UP = auto()
    COMPARE = auto()
    RANK = auto()
    ADD = auto()
    RATIO = auto()
    CHANGE = auto()
    REASON = auto()
    OPEN = auto()

    @property
    def label(self) -> Bilingual:
        """How it is called."""
        return _LABELS[self]


_LABELS = {
    Operation.LOOK_UP: Phrase("look up"),
    Operation.COMPARE: Phrase("compare"),
    Operation.RANK: Phrase("put in order"),
    Operation.ADD: Phrase("add up"),
    Operation.RATIO: Phrase("share or ratio"),
    Operation.CHANGE: Phrase("change over time"),
    Operation.REASON: Phrase("reasons"),
    Operation.OPEN: Phrase("an overview"),
}

_AMOUNT = (
    r"(?P<amount>[$€£¥]?\s?\d[\d,]*(?:\.\d+)?"
    r"(?:\s?(?:thousand|million|billion|trillion)\b|[万億兆](?:[\d,]+[万億])?)?)"
)
_LIMIT_EN = re.compile(
    r"\b(?:(?P<above>(?:more|great\w*|high\w*|larg\w*|bigg\w*|old\w*|long\w*) than|over|above|(?P<least>at least)"
    r"|exceed\w*)|(?:less|few\w*|low\w*|small\w*|short\w*|young\w*) than|under|below|(?P<most>at most))\s+"
    rf"(?P<said>{_AMOUNT}(?!\d)\s?(?:%|percent\b|yen\b|dollars?\b|euros?\b)?)",
    re.IGNORECASE,
)
_LIMIT_JA = re.compile(
    rf"[がはの]?(?P<said>{_AMOUNT}(?:[%％]|パーセント|ドル|[人円件社台歳年])?)(?:を|より)?も?"
    r"(?:(?P<above>超え?る?|上回る?|(?P<least>以上)|多い|大きい|高い|長い)|(?P<most>以下)|未満|下回る?|少ない|小さい|低い|短い)"
    r"(?:の|である)?"
)
"""What sets a limit to the values of those that are asked for: with a GDP above 1 trillion, 人口が1億人を超える."""
_WHY_OR_HOW = re.compile(r"^\s*(?:how|why|when|by when|could|can|will|should)\b|どう|いかに|なぜ|いつ", re.IGNORECASE)
"""What asks for something else than all that keep to a limit: how a share could be brought below 40%."""
_ADJECTIVES = "high|larg|bigg|great|low|small|old|young|long|short|tall|deep|fast|slow|rich|poor|few|strong|weak|cheap"
_MOST_JA = "最も|もっとも|一番|いちばん"
_OPERATIONS = (
    (
        Operation.OPEN,
        r"^\s*(?:tell me|write|describe|give (?:me )?an overview)|\bknow (?:about|of)\b"
        r"|知っておく|について(?:教えて|説明して|まとめて)",
    ),
    (Operation.REASON, r"\bwhy\b|\breasons?\b|なぜ|理由|原因"),
    (
        Operation.RATIO,
        r"\bhow many times\b|\bwhat (?:share|percentage|percent|part) of\b|\bby what factor\b"
        r"|の何[％%倍]|何[％%]に(?:あた|当た)|何倍",
    ),
    (
        Operation.RANK,
        rf"\b(?:{_ADJECTIVES})est\b|\b(?:most|least|best|worst)\b|{_MOST_JA}|最大|最小|最高|最低|最多|最少|最長|最短",
    ),
    (
        Operation.ADD,
        r"\b(?:together|altogether|in total|combined|sum)\b|\bhow many .*\bfrom .* to\b"
        r"|合計|合わせ[てるた](?!検討|考)|総額|総計",
    ),
    (
        Operation.CHANGE,
        r"\bchanged?\b|\b(?:grow|grew|grown|increased?|decreased?|declined?|rise|rose|fall|fell)\b|変わ[りっる]|変化|推移|増え|増加|減[りる]|減少|伸び|上昇|低下",
    ),
    (Operation.COMPARE, r"\bcompare|\bdiffer|比べ|比較|違[いう]|[のと]差(?:は|が|を|$|[？?])"),
)
_PATTERNS = tuple((operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _OPERATIONS)


_LEAST = re.compile(
    r"\b(?:lowest|smallest|fewest|least|slowest|poorest|shortest|youngest)\b|少ない|小さい|低い|狭い|遅い|短い|最小|最少|最低|下位",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|long|old)\b|\b(?:rate|share|number|percentage|ratio)\b"
    r"|どれ(?:だけ|くらい|ほど)|どのくらい|いくら|いくつ|何[％%割人円件社か台]|[率額量数]",
    re.IGNORECASE,
)
_WHICH_PLACES = re.compile(
    r"\b(?:which|what|list|name|all)\b.{0,40}\b(?:countries|states|nations|territories|economies)\b"
    r"|(?:どの|各)国|国(?:[はを]|々|の一覧|はどこ|$)",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\bdifference\b|\bhow much (?:more|less|higher|lower|larger|smaller)\b|[のと]差", re.IGNORECASE
)
_OURS = re.compile(r"当社|自社|弊社|我が社|わが社|\b(?:our|we|us)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """One thing that is asked."""

    about: str
    """Whom or what it is about; empty where that is what the whole question is about."""
    asked: str

    def __str__(self) -> str:
        """Return it as a line that lists it in a question."""
        return f"{self.about}: {self.asked}" if self.about else self.asked


@dataclass(frozen=True)
class Limit:
    """What the values of those that a question asks for have to be above or below."""

    number: float
    said: str
    """As the question says it: 1億人, 20%."""
    is_above: bool
    is_within: bool
    """Whether the limit itself keeps to it: at least, 以下."""

    def holds(self, number: float) -> bool:
        """Whether a figure keeps to it."""
        if number == self.number:
            return self.is_within
        return (number > self.number) is self.is_above


@dataclass(frozen=True)
class Asked:
    """A question taken apart."""

    question: str
    names: tuple[Name, ...]
    attributes: tuple[str, ...]
    """What is asked of each, in the question's own words, one each; the whole question where nothing is left."""
    wordings: tuple[str, ...]
    """The clause that asks for each, as it is worded: “how large is its economy” says more than “economy”."""
    years: tuple[str, ...]
    months: tuple[str, ...]
    """As `2025-04`, in order."""
    operation: Operation
    abouts: tuple[str, ...] = ()
    """Whom each is asked of, where the question lists its parts and says so; else all that it names."""
    limit: Limit | None = None
    """Where it asks for all whose values are above or below one: they are put in order."""

    @property
    def points(self) -> tuple[str, ...]:
        """What is asked: as the question lists it, with whom it is asked of where that is not the same for all."""
        if len(set(self.abouts)) < 2:
            return self.wordings if self.abouts else self.attributes
        of = "の" if language_of(self.question) is Language.JA else " "
        return tuple(f"{who}{of}{what}" if who else what for who, what in zip(self.abouts, self.wordings, strict=True))

    @property
    def listed(self) -> tuple[str, ...]:
        """The parts that the question lists itself; none where it does not."""
        return self.points if self.abouts else ()

    @property
    def wants_prose(self) -> bool:
        """Whether a reason or an overview is asked for, which no value gives."""
        return self.operation in (Operation.REASON, Operation.OPEN)

    @property
    def wants_figure(self) -> bool:
        """Whether a number is asked for."""
        return _HOW_MUCH.search(self.question) is not None

    def is_in_years(self, year: str) -> bool:
        """Whether a year is one of those asked for; a change goes from the first, or the year before."""
        if not self.years:
            return True
        first, last = min(self.years), max(self.years)
        if self.operation is Operation.CHANGE and first == last:
            first = str(int(first) - 1)
        spans = self.operation in (Operation.CHANGE, Operation.COMPARE)
        return first <= year <= last if spans else year in self.years

    @property
    def is_least(self) -> bool:
        """Whether an order begins with the lowest."""
        return not self.limit.is_above if self.limit else _LEAST.search(self.question) is not None

    @property
    def is_wide_open(self) -> bool:
        """Whether nothing in particular is asked of its subject."""
        return self.operation is Operation.OPEN and self.attributes == _OVERVIEW[language_of(self.question)]

    @property
    def is_of_all(self) -> bool:
        """Whether it asks of all places, or all of a part of the world: whichever there are."""
        if self.operation not in (Operation.LOOK_UP, Operation.COMPARE, Operation.OPEN):
            return False
        if _WHICH_PLACES.search(self.question):
            return not any(name.is_place for name in self.names)
        return not self.names and bool(regions_in(self.question))

    @property
    def wants_difference(self) -> bool:
        """Whether it asks by how much two figures differ."""
        return self.operation is Operation.COMPARE and _DIFFERENCE.search(self.question) is not None

    @property
    def is_ours(self) -> bool:
        """Whether it is about those who ask."""
        return _OURS.search(self.question) is not None

    @property
    def span(self) -> tuple[str, str] | None:
        """The first and last month asked for, as `2025-04`; None if no months are."""
        return (min(self.months), max(self.months)) if self.months else None


@lru_cache(maxsize=256)
def question_parts(question: str) -> Asked:
    """Take a question apart; of a very long one, its beginning."""
    question = question[:_LONGEST]
    found = names_in(question)
    further = [word for word in _CAPITALS.findall(question) if not any(folded(word) in one.forms for one in found)]
    names = (*found, *(Name(word, word, (folded(word),)) for word in dict.fromkeys(further)))
    bare = _MEASURES_OF.sub(_each_measure, _OWN_SOURCES.sub(" ", question))
    bare = _without(bare, (*names, *regions_in(question)))
    operation, limit = _operation(question), None
    is_which = not names and _WHY_OR_HOW.search(question) is None
    if is_which and operation in (Operation.LOOK_UP, Operation.RANK, Operation.COMPARE):
        bare, limit = _without_limit(bare)
    operation = Operation.RANK if limit else operation
    taken = _japanese if language_of(question) is Language.JA else _english
    parts = taken(bare)
    if listed := _listed(question):
        return _as_listed(question, names, listed, taken)
    if not parts and operation is Operation.OPEN:
        parts = dict.fromkeys(_OVERVIEW[language_of(question)], question)
    return Asked(
        question,
        names,
        tuple(parts) or (question,),
        tuple(parts.values()) or (question,),
        tuple(dict.fromkeys(_YEAR.findall(question))),
        tuple(sorted(_months(question))),
        operation,
        limit=limit,
    )


def _each_measure(match: re.Match[str]) -> str:
    """Return two measures of one thing as two things that are asked."""
    if match[1]:
        return f"{match[1]} of the {match[3]} and {match[2]} of the {match[3]}"
    return f"{match[4]}の{match[5]}、{match[4]}の{match[6]}"


def _without_limit(bare: str) -> tuple[str, Limit | None]:
    """Return a question with what sets a limit turned into an order, and the limit."""
    is_japanese = language_of(bare) is Language.JA
    match = (_LIMIT_JA if is_japanese else _LIMIT_EN).search(bare)
    number = number_in(match["amount"]) if match else None
    if match is None or number is None:
        return bare, None
    rest = f"{bare[: match.start()]}{'が最も大きい' if is_japanese else ' '}{bare[match.end() :]}"
    return rest, Limit(number, match["said"].strip(), match["above"] is not None, bool(match["least"] or match["most"]))


def _without(text: str, names: Sequence[Name]) -> str:
    """Return a text without names and times."""
    for name in names:
        for form in sorted({name.en, name.ja, *name.forms}, key=len, reverse=True):
            text = re.sub(rf"(?<![A-Za-z]){re.escape(form)}(?:['’]s)?(?![A-Za-z])", " ", text, flags=re.IGNORECASE)
    return _WHEN.sub(" ", text)


def _as_listed(
    question: str, names: tuple[Name, ...], listed: tuple[Part, ...], taken: Callable[[str], dict[str, str]]
) -> Asked:
    """Return a question whose parts stand in it as a list: they are what is asked, of those that they name."""
    abouts = " / ".join(part.about for part in listed)
    about = question_parts(abouts).names if abouts.strip(" /") else names
    of = "の" if language_of(question) is Language.JA else " "
    said: dict[str, Part] = {}
    for part in listed:
        # What is no name, such as a kind of thing, is looked for in words.
        is_named = not part.about or any(name.stands_in(folded(part.about)) for name in about)
        told = part if is_named else Part("", f"{part.about}{of}{part.asked}")
        bare = _without(told.asked, about or names)
        what = " ".join(taken(bare)) or " ".join(bare.split()) or told.asked
        # The same asked of several is asked of all.
        said[what] = told if what not in said else Part("", said[what].asked)
    return Asked(
        question,
        about or names,
        tuple(said),
        tuple(part.asked for part in said.values()),
        tuple(dict.fromkeys(_YEAR.findall(question))),
        tuple(sorted(_months(question))),
        _operation(question),
        tuple(part.about for part in said.values()),
    )


def _listed(question: str) -> tuple[Part, ...]:
    """Return the parts that a question lists, a line each."""
    lines = [_ABOUT.fullmatch(line.strip()) or line.strip() for line in _LISTED.findall(question)]
    parts = (Part("", line) if isinstance(line, str) else Part(line[1].strip(), line[2].strip()) for line in lines)
    return tuple(dict.fromkeys(parts))[:_MOST_PARTS]


def head_of(question: str) -> str:
    """Return a question without the list of its parts; all of it where it is nothing else."""
    return " ".join(_LISTED.sub("", question).split()) or " ".join(question.split())


def parts_of(question: str) -> tuple[Part, ...]:
    """Return what is asked, part by part: as the question lists it, else as it is taken apart."""
    if listed := _listed(question):
        return listed
    asked = question_parts(question)
    about = ("、" if language_of(question) is Language.JA else ", ").join(
        name.ja if language_of(question) is Language.JA else name.en for name in asked.names
    )
    return tuple(Part(about, attribute) for attribute in asked.attributes[:_MOST_PARTS])


def with_parts(question: str, parts: Sequence[Part]) -> str:
    """Return a question that lists these parts, and no others."""
    head = _LISTED.sub("", question).strip()
    return "\n".join([head, *(f"- {part}" for part in parts if part.asked)]).strip()


def _english(bare: str) -> dict[str, str]:
    """Return what is asked in each clause of a question, with that clause."""
    parts: dict[str, str] = {}
    for clause in split_beside_terms(_SPLIT_EN, _OPENS.sub(" ", bare)):
        words = [word for word in _WORD.findall(clause) if folded(word).removesuffix("'s") not in _STOPS]
        if len(words) == 1 and parts and _OF_BEFORE.search(clause):
            last = next(reversed(parts))
            parts[f"{last} {words[0]}"] = f"{parts.pop(last)}, {' '.join(clause.split())}"
        elif words and not all(len(word) < 2 for word in words):
            parts.setdefault(" ".join(words), " ".join(clause.split()))
        for asked, (pattern, attribute) in _IDIOMS.items():
            if pattern.search(clause):
                before = next(reversed(parts), "") if attribute in _OF_ANOTHER and not words else ""
                parts.setdefault(f"{before} {attribute}".strip(), f"{before} {asked}".strip())
    return parts


def _japanese(bare: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for clause in _SPLIT_JA.split(_TRADED_JA.sub(r"\1品、\1相手国、", bare)):
        text = _VERB_JA.sub("", _ENDING_JA.sub("", _WHICH_JA.sub("", clause.strip())))
        text = _EXTREME_JA.sub("", text)
        for _ in range(3):
            text = _OPERATING_JA.sub("", _ASIDE_JA.sub("", _STARTING_JA.sub("", text)).strip())
        if why := _WHY_JA.search(clause):
            text = f"{text} {why[1]}".strip()
        text = _ASIDE_JA.sub("", _VERB_JA.sub("", text).strip()) or text
        if len(text) > 1:
            parts.setdefault(text, clause.strip())
    return parts


def _months(question: str) -> set[str]:
    found = set()
    for match in _MONTH.finditer(question):
        if match[1]:
            found.add(f"{match[2]}-{MONTHS.index(match[1].lower()) + 1:02}")
        else:
            found.add(f"{match[3]}-{int(match[4]):02}")
    for match in _FISCAL_JA.finditer(question):
        year = int(match[1])
        found |= {f"{year}-04", f"{year + 1}-03"}
    return found


def _operation(question: str) -> Operation:
    found = next((operation for operation, pattern in _PATTERNS if pattern.search(question)), None)
    if found is not None:
        return found
    return Operation.COMPARE if len(compared_in(question)) > 1 else Operation.LOOK_UP
