"""Progress on the terminal: lines as things happen and, where the terminal can, a live table of the researchers."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from research.events import AnyEvent
from research.language import Bilingual, Language
from research.terminal.lines import line_of, shortened
from research.terminal.tally import LaneTally, Tally

_WAITING = Bilingual("waiting", "待機中")
_DONE = Bilingual("done", "終了")
_TOTALS = Bilingual(
    "{seconds:.0f} s · searches: {searches} · pages: {pages} · quotes: {evidence}",
    "{seconds:.0f}秒 · 検索 {searches}回 · ページ {pages}件 · 引用 {evidence}件",
)
_CACHED = Bilingual(" · from the cache: {cached}", " · キャッシュ利用 {cached}件")
_TOKENS = Bilingual(" · tokens: {tokens:,}", " · {tokens:,}トークン")
_COST = Bilingual(" · {cost:.2f} USD", " · {cost:.2f}米ドル")
_COST_UNKNOWN = Bilingual(" · price not known", " · 料金不明")
_WRITING = Bilingual(" · writing the report", " · レポートを執筆中")


class Display:
    """Shows the events of a run; a context manager, so that the terminal is left tidy."""

    def __init__(self, console: Console, language: Language, *, quiet: bool = False) -> None:
        self._console = console
        self._language = language
        self._quiet = quiet
        self._tally = Tally()
        self._began = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal and not self._quiet:
            self._live = Live(get_renderable=self._picture, console=self._console, transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, event: AnyEvent) -> None:
        """Show one event."""
        self._tally.count(event)
        line = None if self._quiet else line_of(event, self._language)
        if line is not None:
            self._console.print(Text(line), soft_wrap=self._live is None)

    def _picture(self) -> Group:
        table = Table.grid(padding=(0, 1), expand=True)
        for ratio in (0, 3, 4, 0):
            table.add_column(ratio=ratio or None, no_wrap=True, overflow="ellipsis")
        # A copy, because events arrive while the picture is drawn.
        for name, lane in dict(self._tally.lanes).items():
            found = f"{lane.pages}/{lane.evidence}"
            table.add_row(
                Text(name), Text(shortened(lane.topic)), Text(self._activity(lane)), Text(found, justify="right")
            )
        return Group(table, Text(self._totals(), style="bold"))

    def _activity(self, lane: LaneTally) -> str:
        if lane.is_done:
            return _DONE.in_(self._language)
        return _WAITING.in_(self._language) if lane.is_waiting else shortened(lane.activity)

    def _totals(self) -> str:
        tally = self._tally
        parts = [_TOTALS]
        parts += [_CACHED] if tally.cached else []
        if tally.tokens:
            parts += [_TOKENS, _COST_UNKNOWN if tally.cost_usd is None else _COST]
        parts += [_WRITING] if tally.is_writing else []
        return "".join(part.in_(self._language) for part in parts).format(
            seconds=time.monotonic() - self._began,
            searches=tally.searches,
            pages=len(tally.pages),
            evidence=tally.evidence,
            cached=tally.cached,
            tokens=tally.tokens,
            cost=tally.cost_usd,
        )
