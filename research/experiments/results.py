"""What the runs of an experiment came to: a row a run, a row a way, a row a judge; kept in a folder of results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.experiments.ratings import WAY, Judgement, Ratings, Row, judgements_in, judges, preferences, ratings_in
from research.text import html_table, markdown_table

if TYPE_CHECKING:
    import pandas as pd

KEPT = "experiments"
"""The folder of a home in which results are kept that no other folder is named for."""


class Results:
    """What the runs of an experiment came to."""

    def __init__(
        self,
        rows: Sequence[Mapping[str, Any]],
        left: int = 0,
        *,
        ratings: Ratings | None = None,
        judged: Mapping[str, Sequence[Judgement]] | None = None,
    ) -> None:
        self.rows = tuple(rows)
        self.left = left
        """Runs that were not begun or have failed."""
        self.ratings = ratings or Ratings()
        """What the reader prefers, blind."""
        self.judged = judged or {}
        """What models prefer, by their names."""

    @property
    def frame(self) -> pd.DataFrame:
        """One row a run: the way, the question, quality, and what it took.

        `first`, `report`, `pages`: of `facts`, how many stand there; `bearing` of `quotes` bear on the question;
        `supported` of `checked` sentences; `contradictions`; `seconds`, `tokens`, `cost_usd`, `calls`; `complete`.
        """
        import pandas as pd

        return pd.DataFrame(self.rows)

    @property
    def by_way(self) -> pd.DataFrame:
        """One row a way, the best first: shares of facts, quotes and sentences, and means of what a run took."""
        import pandas as pd

        if not self.rows:
            return pd.DataFrame(columns=list(WAY))
        groups = self.frame.groupby(list(WAY), sort=False)
        total = groups.sum(numeric_only=True)
        found = pd.DataFrame(
            {
                "runs": groups.size(),
                "facts": total["report"] / total["facts"],
                "in first lines": total["first"] / total["facts"],
                "quotes that bear": total["bearing"] / total["quotes"],
                "supported": total["supported"] / total["checked"],
                "contradictions": total["contradictions"] / groups.size(),
                "complete": total["complete"] / groups.size(),
                "seconds": groups["seconds"].mean(),
                "tokens": groups["tokens"].mean(),
                "USD": groups["cost_usd"].sum(min_count=1),
            }
        )
        ranked = found.sort_values(["facts", "in first lines", "seconds"], ascending=[False, False, True])
        for name, given in {"reader": self.ratings.given, **self.judged}.items():
            won = preferences(self.rows, Ratings(given=tuple(given)))
            if won:
                ranked[f"{name} prefers"] = [won[way].share if way in won else None for way in ranked.index]
        told = ranked.reset_index()
        return told.drop(columns=[name for name in list(WAY)[2:] if not told[name].any()])

    @property
    def judges(self) -> pd.DataFrame:
        """One row a judge, and whether it can stand for the reader.

        Of `pairs`, it preferred the same in both orders in `held`; it says the same as the reader in `as reader` of
        `rated`, beyond chance by `kappa` (Cohen's); it prefers what holds more facts in `as facts` of `decided`.
        """
        import pandas as pd

        rows = [
            [one.name, one.pairs, one.held, *one.with_reader, *one.with_facts, one.tokens, one.usd]
            for one in judges(self.rows, self.ratings, self.judged)
        ]
        return pd.DataFrame(rows, columns=list(_JUDGES))

    def to_markdown(self) -> str:
        """Return `by_way` as a table, and `judges` as another if there are any."""
        return "\n".join(f"{markdown_table(cells)}\n" for cells in self._tables())

    def _tables(self) -> list[list[list[str]]]:
        return [_cells(self.by_way), *([_cells(self.judges)] if self.judged else [])]

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return "".join(map(html_table, self._tables()))


_JUDGES = ("judge", "pairs", "held", "as reader", "rated", "kappa", "as facts", "decided", "tokens", "USD")
_SHARES = ("facts", "in first lines", "quotes that bear", "supported", "complete")


def _cells(frame: pd.DataFrame) -> list[list[str]]:
    """Return the cells of a frame as they are read, its head first."""

    def told(name: str, value: Any) -> str:
        if isinstance(value, str | int):
            return str(value).replace("|", "\\|")
        if value is None or value != value:  # noqa: PLR0124 - not a number
            return "–"
        if name in _SHARES or name.endswith(" prefers"):
            return f"{value:.0%}"
        return f"{value:,.0f}" if name == "tokens" else f"{value:.2f}"

    rows = [[told(str(name), value) for name, value in row.items()] for row in frame.to_dict("records")]
    return [list(map(str, frame.columns)), *rows]


def results_in(home: Path) -> dict[str, Path]:
    """Return the folders of results that are kept in a home, by name, the one that changed last first."""
    found = {file: file.stat().st_mtime_ns for file in (home / KEPT).glob("*/runs.jsonl")}
    return {file.parent.name: file.parent for file in sorted(found, key=lambda file: -found[file])}


def load_results(folder: Path, rows: Sequence[Row] | None = None, left: int = 0) -> Results:
    """Return what the runs came to that stand in a folder of results, or some of them, and who prefers which.

    Raises:
        StoreError: what the reader rated cannot be read.
    """
    found = tuple(done_in(folder / "runs.jsonl").values()) if rows is None else rows
    return Results(found, left, ratings=ratings_in(folder), judged=judgements_in(folder))


def done_in(file: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a file of runs that were done, by key; a line that was cut off counts as not there."""
    if not file.is_file():
        return {}
    rows = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        rows[row["key"]] = row
    return rows
