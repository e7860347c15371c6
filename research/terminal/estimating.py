"""What a run will take, said on the command line; nothing is run."""

from __future__ import annotations

import argparse
from contextlib import closing

from research.brief import Brief
from research.estimate import Estimate, estimate, models_of, rounded, sources_of
from research.language import Bilingual, Language
from research.runs.past import past_runs
from research.runs.store import RunStore
from research.settings import Settings
from research.vocabulary import SourceName
from research.world import DOCUMENTS

_TIME = Bilingual("Time: {span}", "時間：{span}")
_TOKENS = Bilingual("Tokens: {span}", "トークン：{span}")
_COST = Bilingual("Cost of the models: {span}", "モデルの費用：{span}")
_FREE = Bilingual("Cost: free, no model is called.", "費用：無料（モデルを使いません）。")
_UNKNOWN = Bilingual("Cost: the price of {models} is not known.", "費用：{models} の価格は不明です。")
_SECONDS = Bilingual("{number:.0f} s", "{number:.0f}秒")
_MINUTES = Bilingual("{number:.0f} min", "{number:.0f}分")
_DOLLARS = Bilingual("${number:.2f}", "{number:.2f}ドル")
_FROM_TO = Bilingual("{low} to {high}", "{low}〜{high}")


def estimate_of(brief: Brief, chosen: argparse.Namespace, settings: Settings) -> str:
    """Return what a run of `brief` with these arguments will take, a line each."""
    models = {} if chosen.analyst == "extractive" else models_of(brief, settings)
    added = settings.home / DOCUMENTS
    has_documents = chosen.library is not None or (added.is_dir() and any(added.iterdir()))
    sources = sources_of(brief, settings, has_documents=has_documents)
    web = SourceName.WEB in sources
    with closing(RunStore(settings.home)) as store:
        past = past_runs(store, brief, "chat" if models else "extractive", web=web)
    found = estimate(brief, models, past, sources=len(sources), web=web)
    return "".join(f"{line}\n" for line in lines(found, brief.language))


def lines(found: Estimate, language: Language) -> list[str]:
    """Return an estimate in words."""

    def said(text: Bilingual, **values: str) -> str:
        return text.in_(language).format(**values)

    def from_to(low: str, high: str) -> str:
        return low if low == high else said(_FROM_TO, low=low, high=high)

    told = [said(_TIME, span=from_to(_time(found.seconds.low, language), _time(found.seconds.high, language)))]
    if found.is_free:
        return [*told, said(_FREE), found.basis.in_(language)]
    tokens = (f"{rounded(end):,}" for end in (found.tokens.low, found.tokens.high))
    told.append(said(_TOKENS, span=from_to(*tokens)))
    if found.cost_usd is None:
        told.append(said(_UNKNOWN, models=Bilingual(", ", "、").in_(language).join(found.unpriced)))
    else:
        ends = (_DOLLARS.in_(language).format(number=end) for end in (found.cost_usd.low, found.cost_usd.high))
        told.append(said(_COST, span=from_to(*ends)))
    return [*told, found.basis.in_(language)]


def _time(seconds: float, language: Language) -> str:
    if seconds < 90:
        return _SECONDS.in_(language).format(number=seconds)
    return _MINUTES.in_(language).format(number=seconds / 60)
