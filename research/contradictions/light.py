"""Words that do not tell one quantity from another: who says it, how sure it is, that it amounts to something."""

from __future__ import annotations

from functools import cache

from research.verification import function_words
from research.verification.meanings import unit_of

_ENGLISH = """
reach stand stood amount total come came hit record post become see seen achieve attain estimate value worth size level
company firm annual yearly say announce report state decide expect forecast predict project plan intend aim target goal
about roughly number according data figure show find know set put take recent new currently respectively ask must
already now again also still period term time overall previous last next than compare level fiscal want can need
cap ceiling floor limit maximum minimum least most
"""
_JAPANESE = """
審議 決議 議決 説明 指摘 報告 発表 公表 推定 推計 試算 概算 見積 実績 合計 総額 当社 弊社 規模 程度 水準 数値 金額
完成時 竣工時 完了時 最終 最終的
前年 前年度 前年比 前年度比 前年同期 前年同期比 同期 同期比 到達 記録 算出 設定 値 額 見込 予定 目標 上限 下限 付議
"""
LIGHT_JAPANESE = function_words.LIGHT_JAPANESE | frozenset(_JAPANESE.split())


@cache
def _light_units() -> frozenset[str]:
    return frozenset(unit_of(word) for word in _ENGLISH.split())


def is_light(unit: str, word: str) -> bool:
    """Whether a word, given as its unit and as printed, may be there or not without changing what is meant."""
    if unit in _light_units() or word.lower() in function_words.LIGHT:
        return True
    return word in LIGHT_JAPANESE
