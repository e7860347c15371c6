"""The five methods by name, and when to use which."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from research.language import Bilingual


class MethodName(StrEnum):
    """How research is organised: who plans, and when it stops. All else is the same for every method."""

    label: Bilingual
    hint: Bilingual
    """When to use it, for the dropdown."""

    def __new__(cls, value: str, label: tuple[str, str], hint: tuple[str, str]) -> Self:
        """Make a name from its value, its (en, ja) label and its (en, ja) hint."""
        name = str.__new__(cls, value)
        name._value_ = value
        name.label = Bilingual(*label)
        name.hint = Bilingual(*hint)
        return name

    OUTLINED = (
        "outlined",
        ("Outlined", "章立て型"),
        (
            "A plan of sections that you can edit first; each is searched and reflected on. For structured reports.",
            "最初に章立てを作り（編集可）、章ごとに検索と振り返りを行います。構成の決まった報告書に。",
        ),
    )
    CHAINED = (
        "chained",
        ("Chained", "連鎖検索型"),
        (
            "One query leads to the next until a computed score is high enough. For one clear question, at least cost.",
            "充足度の点数が十分になるまで、検索を一つずつつなげます。問いが一つのときに、最も安く。",
        ),
    )
    GAP_DRIVEN = (
        "gap-driven",
        ("Gap-driven", "不足補完型"),
        (
            "Searches each section again for exactly what is still missing. For checklists that must be filled.",
            "章ごとに、まだ足りない情報だけを追加で検索します。漏れなく埋めたい項目があるときに。",
        ),
    )
    SUPERVISED = (
        "supervised",
        ("Supervised", "チーム型"),
        (
            "A supervisor hands topics to researchers who work in parallel. For wide or open questions.",
            "監督役がトピックを割り振り、複数の調査役が並行して調べます。範囲の広い問いに。",
        ),
    )
    NOTED = (
        "noted",
        ("Noted", "ノート型"),
        (
            "A few queries a cycle, a research note for each. For a trail that others can follow and reuse.",
            "一巡ごとに少数の検索を行い、それぞれ調査ノートを残します。過程を他の人と共有したいときに。",
        ),
    )
