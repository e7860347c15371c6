"""Words that say nothing about the subject, and words that say little."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words(
    """
    a about above after again all also although am an and another any are as at be been before being both but by
    can could did didn do does doesn doing don done down during each either else ever every for from had has
    hasn have haven having he hence her here hers herself him himself his how however i if in into is isn it its
    itself just may me might more moreover most much must my namely neither never no nobody none nor not nothing
    now of off on once one ones only onto or other others otherwise our ours out over own per rather same shall
    she should shouldn since so some such than that the their theirs them themselves then there thereby
    therefore these they this those though through thus to too toward towards under until up upon us very via
    was wasn we were weren what when where whereas whether which while who whom whose why will with within
    without won would wouldn yet you your
    """
) - {"above", "after", "before", "more", "most", "same", "won"}
"""`more`, `above`, `before` and the like are left in: they have opposites."""

LIGHT = _words(
    """
    according accordingly additionally already almost approximate approximately around available basis become
    case certain clear clearly come compare compared current currently especially example fact figure findings
    follow followed following furthermore further generally given go include included including information
    instance itself latest like likely mainly make making mean nearly new newly note noted notably number
    overall particular particularly point present previous previously primarily put quite really recent recently
    relate related relative relatively report reported respectively roughly say said see seen set several show
    shows significant significantly similar similarly simply source specific specifically state stated still
    substantial substantially take taken tell today together total use used using various way well whole would
    year years
    """
)
"""English words that a writer adds or changes freely: they count half."""

LIGHT_JAPANESE = _words(
    """
    今回 今後 現在 最近 以下 以上 場合 状況 状態 内容 情報 結果 特徴 主 主要 特 他 一方 同時 同様 実際 基本 全般
    全体 年 年度 月 日 時点 当時 同年 同社 同国 同 各 等 的 性 者 際 度 化 上 中 下 前 後 間 約 計 点 面 形 側
    方 次 本 当
    """
)
"""The same for Japanese, as runs of kanji."""
