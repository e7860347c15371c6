"""Results of an experiment as its folder holds them, without one having been carried out."""

from __future__ import annotations

import json
from pathlib import Path

DRAFTS = {"chained": "Few facts.", "supervised": "Many facts.", "noted": "Few facts."}


def row(key: str, method: str, question: str = "pumps", **more: object) -> dict[str, object]:
    found = {
        "first": 1,
        "report": 2 if method == "supervised" else 1,
        "pages": 2,
        "facts": 2,
        "quotes": 4,
        "bearing": 2,
    }
    took = {"supported": 3, "checked": 3, "contradictions": 0, "complete": True, "seconds": 2.0, "tokens": 0}
    way = {"preset": "speed", "method": method, "models": "", "embedder": "", "prompts": ""}
    return {**way, "question": question, **found, **took, "cost_usd": 0.0, "run": key, "key": key, **more}


def kept(home: Path, rows: list[dict[str, object]]) -> Path:
    """Keep results of an experiment in a home, each with its report."""
    folder = home / "experiments" / "tried"
    (folder / "reports").mkdir(parents=True)
    (folder / "runs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    for one in rows:
        text = f"# Pumps\n\n{DRAFTS[str(one['method'])]}\n\n## How it was researched\n\n{one['key']}\n"
        (folder / "reports" / f"{one['key']}.md").write_text(text, encoding="utf-8")
    return folder
