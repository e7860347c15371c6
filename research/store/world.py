"""Makes the world of a run: which analyst, which sources, from the brief and from what is set up on this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from research.analysts import FallbackAnalyst
from research.analysts.extractive import ExtractiveAnalyst
from research.core import PRESETS, Brief, ModelCalled, Role, RunChannel, Stage, UsageError
from research.engine import World
from research.export.markdown import report_markdown
from research.gaps import Relevance
from research.language import Phrase
from research.meaning import EmbeddingCall, Meaning, built_in_vectors, chosen_vectors, may_have_own
from research.settings import Settings
from research.sources import check_package, choose
from research.store.cache import CachedSummariser, SummaryCache
from research.store.store import utc_now

AnalystChoice = Literal["auto", "chat", "extractive"]
WorldBuilder = Callable[..., World]
"""Makes the world of one run; see `build_world`."""

_NO_MODELS = Phrase(
    "The chat analyst needs a model: enter a key in the workbench's Settings or set OPENAI_API_KEY; for a server that "
    "asks for no key, its address (OPENAI_BASE_URL). The extractive analyst needs neither."
)
_NO_ANALYST = Phrase("There is no analyst {name}; there are: {names}.")
_CHAT = Phrase("The chat analyst")


def build_world(
    brief: Brief, settings: Settings, *, library: Path | None, analyst: AnalystChoice, summaries: SummaryCache
) -> World:
    """Return the world of a run: what the brief names, or what is available where it names nothing.

    Args:
        brief: what is to be researched.
        settings: keys, addresses, models and the home folder.
        library: a folder of documents; where it is None, the documents added on the start page take its place.
        analyst: `chat`, `extractive`, or `auto`: models where a key is set.
        summaries: the cache that all runs of this process share.

    Raises:
        UsageError: something that was asked for is not available; says what to do, in the brief's language.
    """
    has_models = uses_models(brief, settings, analyst)
    channel = RunChannel()
    meaning = _meaning(settings, channel)
    chosen = choose(brief, settings, channel, library=library, uses_models=has_models, meaning=meaning)
    if chosen.are_private:
        meaning.keep_own_here()
    rules = ExtractiveAnalyst(meaning)
    world = World(
        analyst=rules,
        rules=rules,
        sources=chosen.searched,
        summariser=CachedSummariser(rules, summaries),
        now=utc_now,
        write_out=report_markdown,
        channel=channel,
        relevance=Relevance(meaning),
        meaning=meaning,
        shares_own_words=settings.shares_own_words,
        is_traced=settings.is_traced,
        secrets=settings.secrets,
    )
    if not has_models:
        return world
    # Clients of models take seconds to load, and a run without models needs none.
    from research.analysts.chat import ChatAnalyst, build_role_models

    models = build_role_models(settings, PRESETS[brief.preset], channel.emit, admit=channel.admit)
    chat = FallbackAnalyst(ChatAnalyst(models, utc_now().date()), rules, channel.problem, models)
    return replace(
        world,
        analyst=chat,
        toolbox=chosen.toolbox,
        summariser=CachedSummariser(chat, summaries),
        models=models.names,
        close=models.aclose,
    )


def _meaning(settings: Settings, channel: RunChannel) -> Meaning:
    """Return who compares texts by meaning; what goes wrong and what it costs is told to the run."""

    def on_problem(code: str, subject: str, detail: str) -> None:
        channel.problem(Stage.SEARCH, code, subject=subject, detail=detail)

    def on_call(model: str, call: EmbeddingCall, usd: float) -> None:
        channel.emit(
            ModelCalled(
                role=Role.RESEARCH,
                model=model,
                seconds=call.seconds,
                input_tokens=call.tokens,
                output_tokens=0,
                cost_usd=usd,
                error=call.error,
            )
        )

    return Meaning(
        chosen_vectors(settings),
        built_in_vectors(settings.home),
        may_have_own=may_have_own(settings),
        on_problem=on_problem,
        on_call=on_call,
        has_room=channel.has_room,
    )


def uses_models(brief: Brief, settings: Settings, analyst: AnalystChoice) -> bool:
    """Whether models carry out a run of `brief`; errors as for `build_world`."""
    if analyst not in get_args(AnalystChoice):
        names = ", ".join(get_args(AnalystChoice))
        raise UsageError(_NO_ANALYST.in_(brief.language).format(name=analyst, names=names))
    if analyst == "extractive" or (analyst == "auto" and not settings.has_models):
        return False
    if not settings.has_models:
        raise UsageError(_NO_MODELS.in_(brief.language))
    check_package("langchain_openai", "openai", _CHAT, brief)
    return True
