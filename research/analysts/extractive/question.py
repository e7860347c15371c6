"""A question taken apart: whom it is about, what is asked of them, when, and what is to be done with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from research.analysts.extractive.asked import asked_of_all_countries
from research.language import Language
from research.text import Name, compared_in, folded, language_of, names_in

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = _MONTH_NAMES.split()
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\s+((?:19|20)\d\d)|((?:19|20)\d\d)年(\d{{1,2}})月", re.IGNORECASE)
_FISCAL_JA = re.compile(r"((?:19|20)\d\d)年度")
_WHEN = re.compile(
    r"\b(?:(?:in|from|since|between|during|for|by|until|to|and|of)\s+)?(?:the\s+)?(?:fiscal\s+(?:year\s+)?)?"
    rf"(?:(?:{'|'.join(_MONTHS)})\s+)?(?:19|20)\d\d\b(?:-\d\d)?|(?:19|20)\d\d年(?:度|\d{{1,2}}月期?)?(?:から|にかけて|まで)?(?:に|の)?",
    re.IGNORECASE,
)
_SPLIT_EN = re.compile(r"[,;:?!]|\band\b|\bor\b|\bto whom\b", re.IGNORECASE)
_SPLIT_JA = re.compile(r"[、，。？?]|および|及び|ならびに|並びに|(?<=[一-鿿ァ-ヶー])(?:と|や)(?=[一-鿿ァ-ヶ])")
_WORD = re.compile(r"[A-Za-z0-9](?:[\w'’./&-]*[A-Za-z0-9])?")
_STOP_WORDS = (
    "a about according all an and any are as at be been being between both brought bring by can compare "
    "compared could decide decided did do does done each end for from give given had has have high how i if "
    "in into is it its large list long many me more most much my name of on or our out over per should show "
    "so tell than that the their them there these they this those three time times to together us want "
    "wanted was we were what when where which who whom whose why will with would you change changed country "
    "countries territories higher highest largest lowest smallest oldest relation set really go"
)
_STOPS = frozenset(_STOP_WORDS.split())
"""Words of English questions that say nothing of what is asked."""
_ENDING_JA = re.compile(
    r"(?:[はがをにで]|とは)?(?:、)?(?:どれ|いくら|いくつ|何|どう|どこ|どの|いつ|誰|だれ|なぜ|どのよう|それぞれ|比べ|比較|挙げ|教え|説明|述べ).*$"
)
_STARTING_JA = re.compile(r"^(?:なぜ|どの|どこの|何が|その|それぞれの?|うち)|^[のはがをにでと、\s]+")
_ASIDE_JA = re.compile(
    r"(?:主な|とともに|ともに|にあたり|対)|(?:です|ます|でした|ました|ください|下さい)か?$|[はがをにで]$"
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


_OPERATIONS = (
    (Operation.OPEN, r"^\s*(?:tell me|write|describe|give (?:me )?an overview)|について(?:教えて|説明して|まとめて)"),
    (Operation.REASON, r"\bwhy\b|\breasons?\b|なぜ|理由|原因"),
    (
        Operation.RATIO,
        r"\bhow many times\b|\bwhat (?:share|percentage|percent|part) of\b|\bby what factor\b"
        r"|の何[％%倍]|何[％%]に(?:あた|当た)|何倍",
    ),
    (
        Operation.ADD,
        r"\b(?:together|altogether|in total|combined|sum)\b|\bhow many .*\bfrom .* to\b|合計|合わせて|総額",
    ),
    (
        Operation.CHANGE,
        r"\bchanged?\b|\b(?:grow|grew|grown|increased?|decreased?|declined?|rise|rose|fall|fell)\b|変わり|変化|推移|増え|減[りる]|伸び",
    ),
    (
        Operation.RANK,
        r"\b(?:highest|largest|biggest|lowest|smallest|oldest|youngest|most|least|best)\b"
        r"|最も|一番|もっとも|最大|最小|最高|最低",
    ),
    (Operation.COMPARE, r"\bcompare|\bdiffer|比べ|比較|違[いう]"),
)
_PATTERNS = tuple((operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _OPERATIONS)


@dataclass(frozen=True)
class Asked:
    """A question taken apart."""

    question: str
    names: tuple[Name, ...]
    attributes: tuple[str, ...]
    """What is asked of each, in the question's own words, one each; the whole question where nothing is left."""
    years: tuple[str, ...]
    months: tuple[str, ...]
    """As `2025-04`, in order."""
    operation: Operation

    @property
    def span(self) -> tuple[str, str] | None:
        """The first and last month asked for, as `2025-04`; None if no months are."""
        return (min(self.months), max(self.months)) if self.months else None


@lru_cache(maxsize=256)
def question_parts(question: str) -> Asked:
    """Take a question apart."""
    names = compared_in(question) or names_in(question)
    bare = question
    for name in names:
        for form in sorted({name.en, name.ja, *name.forms}, key=len, reverse=True):
            bare = re.sub(rf"(?<![A-Za-z]){re.escape(form)}(?:['’]s)?(?![A-Za-z])", " ", bare, flags=re.IGNORECASE)
    bare = _WHEN.sub(" ", bare)
    parts = _japanese(bare) if language_of(question) is Language.JA else _english(bare)
    return Asked(
        question,
        names,
        tuple(dict.fromkeys(parts)) or (question,),
        tuple(dict.fromkeys(_YEAR.findall(question))),
        tuple(sorted(_months(question))),
        _operation(question),
    )


def _english(bare: str) -> list[str]:
    parts = []
    for clause in _SPLIT_EN.split(bare):
        words = [word for word in _WORD.findall(clause) if folded(word).removesuffix("'s") not in _STOPS]
        if words and not all(len(word) < 2 for word in words):
            parts.append(" ".join(words))
    return parts


def _japanese(bare: str) -> list[str]:
    parts = []
    for clause in _SPLIT_JA.split(bare):
        text = _ENDING_JA.sub("", clause.strip())
        for _ in range(3):
            text = _ASIDE_JA.sub("", _STARTING_JA.sub("", text)).strip()
        if len(text) > 1:
            parts.append(text)
    return parts


def _months(question: str) -> set[str]:
    found = set()
    for match in _MONTH.finditer(question):
        if match[1]:
            found.add(f"{match[2]}-{_MONTHS.index(match[1].lower()) + 1:02}")
        else:
            found.add(f"{match[3]}-{int(match[4]):02}")
    for match in _FISCAL_JA.finditer(question):
        year = int(match[1])
        found |= {f"{year}-04", f"{year + 1}-03"}
    return found


def _operation(question: str) -> Operation:
    if asked_of_all_countries(question):
        return Operation.RANK
    found = next((operation for operation, pattern in _PATTERNS if pattern.search(question)), None)
    if found is not None:
        return found
    return Operation.COMPARE if len(compared_in(question)) > 1 else Operation.LOOK_UP
