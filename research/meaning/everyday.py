"""What people ask that a label of the almanac answers: who may vote, where it says suffrage.

Nobody who asks knows how a collection calls what it holds, and a label of one word means little to a small model.
Between questions it tells well: of 60 everyday questions in English on one country each, the label that answers was the
nearest for 39 by itself and the line under it, for 57 with these; of 60 in Japanese for 43 and for 55.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from weakref import WeakKeyDictionary

from research.language import Language
from research.meaning.meaning import Look, Meaning
from research.text import language_of

SURELY_ASKED = 0.1
"""How far above everyday questions on average that one has to lie which a label answers, for it to be what is asked: of
the same questions the nearest label lay higher for 53 and 48, wrongly for one and two; of 24 in either language that
the almanac does not answer for two and for one."""
_QUESTION = re.compile(r"[^?。]+[?。]")
_ALONE = "$"
"""How a label of the catalogue ends that is no beginning of others."""
NOBODY = "nobody"
"""Whom the catalogue gives what no line answers: what petrol costs. Of 40 questions that the almanac does not answer 19
are known as such by them, of 450 that it does none; whoever wrote these questions did not know those."""
_JUDGED = "@ "
_PROFILE = f"{_JUDGED}Background; "
"""How the catalogue begins the labels by which a country is judged, and those that tell what matters most of it."""
_SURELY_JUDGED, _CLEARLY = 0.075, 0.02
"""How far above everyday questions on average one of these has to lie, and above all that lines answer. Of 556 wordings
in questions of `bench.answers` on places, which were not written for it, six lie so far: five do ask for a judgement or
an overview of it. Of 24 that do, 23."""
_told: WeakKeyDictionary[Meaning, dict[str, dict[str, float]]] = WeakKeyDictionary()
"""What was compared for a run: each page asks it again."""


def judged_by(asked: str, meaning: Meaning | None) -> tuple[str, ...]:
    """Return the beginnings of the labels by which a country is judged, in their order, if that is surely asked.

    Whether it is a good place to build a factory no line says; what it has of workers, power and ports bears on it.
    """
    above = _above(asked, meaning) if meaning is not None else {}
    ordered = sorted(above, key=above.__getitem__, reverse=True)
    best = next(iter(ordered), "")
    beside = next((above[one] for one in ordered if not one.startswith(_JUDGED)), 0.0)
    is_judged = best.startswith(_JUDGED) and above[best] >= max(_SURELY_JUDGED, beside + _CLEARLY)
    return tuple(best.removeprefix(_JUDGED).split("; ")) if is_judged else ()


def profile() -> tuple[str, ...]:
    """Return the beginnings of the labels that tell of a country whatever matters most, in their order."""
    return tuple(
        next(one for one in _catalogue()[Language.EN] if one.startswith(_PROFILE)).removeprefix(_JUDGED).split("; ")
    )


def everyday_questions(language: Language) -> dict[str, tuple[str, ...]]:
    """Return everyday questions by the beginning of the label that answers them; those that none answers as well."""
    return _catalogue()[language]


def is_everyday(label: str) -> bool:
    """Whether people ask for what stands under a label."""
    return bool(_kind_of(label, tuple(_catalogue()[Language.EN])))


def asked_of(asked: str, labels: Sequence[str], meaning: Meaning) -> dict[str, float]:
    """Return how much nearer to what is asked the questions are that labels answer than such questions on average.

    Labels of which nobody says what they answer are left out; all where nobody can compare.
    """
    known = tuple(kind for kind in everyday_questions(language_of(asked)) if kind != NOBODY)
    kinds = {label: kind for label in labels if (kind := _kind_of(label, known))}
    above = _above(asked, meaning) if kinds else {}
    return {label: above[kind] for label, kind in kinds.items()} if above else {}


def is_answered_by_none(asked: str, answered: Mapping[str, float], meaning: Meaning) -> bool:
    """Whether what is asked is surely among what people ask of a country that no line of it answers.

    `answered` is what `asked_of` says of its labels; where it knows none of them, nothing is known.
    """
    return bool(answered) and _above(asked, meaning)[NOBODY] >= max(SURELY_ASKED, *answered.values())


def _above(asked: str, meaning: Meaning) -> dict[str, float]:
    """Return the same of each beginning of a label; nothing where nobody can compare."""
    told = _told.setdefault(meaning, {})
    if asked not in told:
        known = everyday_questions(language_of(asked))
        texts = [text for own in known.values() for text in own]
        if (near := meaning.nearness(asked, texts, Look.BOTH)) is None:
            return {}
        above = dict(zip(texts, (near - near.mean()).tolist(), strict=True))
        told[asked] = {kind: max(above[text] for text in own) for kind, own in known.items()}
    return told[asked]


@lru_cache(maxsize=4096)
def _kind_of(label: str, kinds: tuple[str, ...]) -> str:
    """Return the longest beginning of a label that is known; nothing if none is."""
    return max((kind for kind in kinds if f"{label}{_ALONE}".startswith(kind)), key=len, default="")


@lru_cache(maxsize=1)
def _catalogue() -> dict[Language, dict[str, tuple[str, ...]]]:
    text = resources.files("research.meaning").joinpath("everyday.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {
        language: {
            label: tuple(one.strip() for one in _QUESTION.findall(asked))
            for label, asked in zip(lines[::3], lines[place::3], strict=True)
        }
        for place, language in ((1, Language.EN), (2, Language.JA))
    }
