"""Digits that are no figures: phone numbers, clock times, citation marks, ordinals, numbered lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.verification.figures_folding import has_japanese

_MARKS = re.compile(
    r"\[[A-Z]{0,2}[0-9]{1,4}(?:(?:, ?|[-–])[A-Z]{0,2}[0-9]{1,4})*\]"
    r"|[※*†‡][0-9]{1,2}(?![0-9.,%])|注 ?[0-9]{1,2}"
    r"|\+[0-9]{1,3}[ (-][0-9() -]{6,16}[0-9]|\([0-9]{2,5}\) ?[0-9]{3,4}-[0-9]{4}"
    r"|(?:[Tt][Ee][Ll]|[Ff][Aa][Xx]|[Pp]hone|電話)[.:]? ?[0-9(][0-9() -]{5,18}|〒 ?[0-9]{3}-[0-9]{4}"
)
_NUMBERED = re.compile(
    r"^[ \t>*-]*[(]?[0-9]{1,3}(?:[)]|[.](?![0-9]))|^#+ *[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}(?=[ .])"
    r"|^[ \t]*[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\.?(?=[ \t]+[A-Zぁ-ヿ一-龥])",
    re.MULTILINE,
)
_IN_DIGITS = re.compile(
    r"(?<![0-9.,])(?=[0-9]{1,5}[:/\- apAP.\u20e3])(?:"
    r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?![0-9])(?: ?[ap]\.?m\b)?"
    r"|[0-9]{1,3}:[0-9]{1,3}(?![0-9.,%])"
    r"|(?:1[0-2]|[1-9])(?:\.[0-5][0-9])? ?(?:[ap]\.m\.|[ap]m\b|[AP]M\b)"
    r"|[0-9]{1,5}(?:-[0-9]{1,5}){2,}(?![0-9%])"
    r"|(?:0[0-9]{1,4}-[0-9]{2,4}|[0-9]{5}-[0-9]{4})(?![0-9%])"
    r"|[0-9]{1,3}/[0-9]{1,3}(?:/[0-9]{2,4})?(?![0-9/.,%])"
    r"|[0-9]{1,3} [0-9]{2}(?: [0-9]{2})? [NSEW]\b"
    r"|[0-9]\u20e3)"
)
_ORDINALS = re.compile(
    r"第 ?(?:[0-9]+|[〇一二三四五六七八九十百]+)"
    r"|(?<![0-9.,])[0-9]{1,2}時(?!間|価)(?:[0-9]{1,2}分)?"
    r"|(?<![0-9.,])[0-9]+(?:条|項(?!目)|号|章|節|番(?!組)|丁目|世紀|級|階|次|版|期生|合目|年生|代(?![理金表替])|目|回目|年目|か月目|社目)"
    r"|(?<![0-9.,])[0-9]+分の[0-9]+|(?<![一二三四五六七八九十百])[一二三四五六七八九十百]{1,4}分の[一二三四五六七八九]"
    r"|(?<![0-9.,])1(?:人|社|台|株|件|個|日|か月|カ月|世帯|店舗)(?:当た?り|あたり|につき)"
    r"|(?<![0-9.,])1(?:米?ドル|ユーロ|ポンド|元)(?= ?=)"
    r"|(?<![0-9.,])10{1,3}万?人(?:当た?り|あたり|につき)"
)


def codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a folded text in which digits are no figures, in no order."""
    patterns = [_MARKS, _NUMBERED, _IN_DIGITS]
    if has_japanese(text):
        patterns.append(_ORDINALS)
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield match.span()
