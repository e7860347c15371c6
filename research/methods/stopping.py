"""Why research on a topic, or the whole research, ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from research.language import Bilingual


class StopReason(StrEnum):
    """Why it ended."""

    label: Bilingual

    def __new__(cls, value: str, en: str, ja: str) -> Self:
        """Make a reason from its value and its words."""
        reason = str.__new__(cls, value)
        reason._value_ = value
        reason.label = Bilingual(en, ja)
        return reason

    COMPLETE = ("complete", "The analyst saw the question as answered.", "分析役が、答えられると判断しました。")
    ENOUGH = ("enough", "The computed score is high enough.", "充足度の点数が十分に達しました。")
    COVERED = ("covered", "Everything that was asked for is covered.", "求める情報がすべてそろいました。")
    ANSWERED = ("answered", "Three or more good sources answer it.", "3件以上の良い情報源で答えられます。")
    REPEATED = ("repeated", "Further searches brought nothing new.", "検索を続けても新しい情報がありませんでした。")
    LIMIT = ("limit", "The limit of searches is reached.", "検索回数の上限に達しました。")
    BUDGET = ("budget", "The budget of steps is used up.", "手順の予算を使い切りました。")
    UNPLANNED = (
        "unplanned",
        "The plan is empty: no detailed research is needed.",
        "計画が空のため、詳細な調査は不要と判断しました。",
    )
    NO_HITS = ("no_hits", "Nothing was found.", "該当する情報が見つかりませんでした。")
    TIMEOUT = (
        "timeout",
        "It took too long and ended with what it had.",
        "時間内に終わらず、その時点の内容で終了しました。",
    )
    FINISH = ("finish", "It was finished early, as asked.", "指示により途中で終了しました。")
    CAP = ("cap", "The cap that was set for the run is reached.", "この実行に設定した上限に達しました。")
    DROPPED = ("dropped", "It was dropped, as asked.", "指示により対象から外しました。")
    FAILED = ("failed", "It failed before it was done.", "途中で失敗しました。")

    @classmethod
    def words_of(cls, code: str) -> Bilingual:
        """Return the words for a code, also for one that this version does not know."""
        return next((reason.label for reason in cls if reason.value == code), Bilingual(code, code))
