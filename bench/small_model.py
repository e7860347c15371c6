"""Reports that a real model writes, at once and in parts, on the same questions: told twice, covered, borne out.

    OPENAI_API_KEY=… OPENAI_BASE_URL=http://127.0.0.1:8091/v1 RESEARCH_MODEL=NAME python -m bench.small_model [QUESTION]

The model is whatever that server offers; `bench.critical_path` says the same of a made-up one. Sources are the samples,
so that nothing but the model is asked for anything. A second run of a question takes its summaries from the first.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from research.core import PRESETS, Brief, Length, MethodName, PresetName, Role, Sentence, SourceName
from research.engine import writing
from research.results import Report
from research.settings import Settings
from research.store import run_sync

QUESTIONS = (
    "How large are the economies of Kenya and Vietnam, what do they export, and who are their partners?",
    "What do Japan, Germany and Brazil make their electricity from, and how much do they emit?",
)
_ALIKE = 0.8
"""The share of words of the shorter sentence from which two say the same."""
_WAYS: Mapping[str, Mapping[str, object]] = {
    "at once": {"_IN_PARTS": frozenset[Length]()},
    "in parts": {"PARTS_FROM": 2, "_AHEAD": 2},
}
_MODELS = ("RESEARCH_MODEL", "SUMMARIZATION_MODEL", "COMPRESSION_MODEL", "FINAL_REPORT_MODEL")


def _told_twice(said: list[Sentence]) -> float:
    """Return the share of sentences that say little else than one before them."""
    words = [set(sentence.text.lower().split()) for sentence in said]
    again = sum(any(_is_alike(one, earlier) for earlier in words[:place]) for place, one in enumerate(words))
    return again / len(said) if said else 0.0


def _is_alike(one: set[str], other: set[str]) -> bool:
    return bool(one and other) and len(one & other) / min(len(one), len(other)) >= _ALIKE


def _figures(report: Report) -> Iterator[str]:
    record = report.record
    found, cited = len(record.evidence), {name for sentence in record.sentences for name in sentence.evidence}
    verdicts = Counter(sentence.verdict for sentence in record.sentences if sentence.verdict)
    writing = record.usage.get(Role.FINAL_REPORT)
    yield f"{record.status.value}, by {record.writer}, {record.seconds:.0f} s, {len(record.sources)} pages"
    yield f"sentences {len(record.sentences)}, told twice {_told_twice(list(record.sentences)):.2f}"
    yield f"quotes cited {len(cited)} / {found} = {len(cited) / max(1, found):.2f}"
    yield " ".join(f"{verdict}={number}" for verdict, number in sorted(verdicts.items()))
    yield f"calls {record.spent.calls}, of the writer {writing.calls if writing else 0}"


def main() -> None:
    """Print the figures of each question, written either way."""
    limits = PRESETS[PresetName.QUALITY].limits
    small = replace(
        limits, researchers=3, concurrent_researchers=2, searches=1, queries=2, results=2, summary_seconds=300.0
    )
    PRESETS[PresetName.QUALITY] = replace(PRESETS[PresetName.QUALITY], limits=small)
    model = os.environ.get("RESEARCH_MODEL", "")
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **dict.fromkeys(_MODELS, model), "RESEARCH_HOME": home}
        settings = Settings.from_environment(environment)
        for question in sys.argv[1:] or QUESTIONS:
            brief = Brief(
                question=question, preset=PresetName.QUALITY, method=MethodName.SUPERVISED, length=Length.MEDIUM,
                sources=(SourceName.FACTBOOK,),
            )  # fmt: skip
            for name, way in _WAYS.items():
                with patch.multiple(writing, **way):
                    report = run_sync(brief, settings=settings)
                print(f"{question}\n{name}:", *_figures(report), sep="\n  ", flush=True)
                if folder := os.environ.get("BENCH_OUT"):
                    Path(folder, f"{name.replace(' ', '-')}-{len(question)}.md").write_text(report.markdown, "utf-8")


if __name__ == "__main__":
    main()
