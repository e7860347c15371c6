"""Whether a sentence claims anything: headings, questions and transitions do not."""

from __future__ import annotations

import re
import unicodedata

from research.verification.function_words import ENGLISH

_QUESTION = re.compile(r"[?？]\s*[\"'”’」』)）]*\s*$|(?:でしょうか|だろうか|ますか|ですか)[。.]?\s*$")
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s|[-*+>|]+\s+|\d{1,3}[.)．）]\s+)|[*_`~|]+")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|[■◆]|【[^】]*】\s*$)")
_DIGIT = re.compile(r"\d|[一二三四五六七八九十百千万億兆]+(?:%|パーセント|割|人|社|円|年|か月|カ月|件|台|倍)")
_STOPS = re.compile(r"[.!。！…][\"'”’」』)）]*\s*$")
_LEADS_IN = re.compile(r"[:：]\s*$")
_WORD = re.compile(r"[^\W\d_]+")
_HIRAGANA = re.compile(r"[ぁ-ゖ]")
_WIDE = re.compile(r"[ぁ-ゖァ-ヺ一-鿿]")

_ABOUT_THE_TEXT = re.compile(
    r"^\W*(?:(?:this|the (?:following|next|present|previous)|our)\s+"
    r"(?:section|chapter|report|table|chart|overview|summary|appendix|paragraph|sections|paragraphs)\b[^.]{0,60}?\s"
    r"(?:(?:is|are) organi[sz]ed|looks? at|describes?|summari[sz]es?|covers?|examines?|discuss(?:es)?|outlines?"
    r"|turns? to|considers?|deals? with|lists?|gives?)\b"
    r"|(?:let us|let's|we (?:now |will |first |then )*(?:turn|look|consider|examine|discuss|begin|move on|proceed))\b"
    r"|(?:see|refer to)\s+(?:also\s+)?(?:the\s+)?(?:section|chapter|table|figure|appendix|below|above)\b)",
    re.IGNORECASE,
)
_ABOUT_THE_TEXT_JA = re.compile(
    r"^\W*(?:本|この|次の|以下の|各)?(?:節|章|項|報告書|レポート|セクション|表|図)(?:で|に)は[^。]{0,80}"
    r"(?:述べる|述べます|見る|見ていく|見ていきます|説明する|説明します|示す|示します|整理する|整理します|概観する|概観します|取り上げる"
    r"|取り上げます|検討する|検討します|まとめる|まとめます|扱う|扱います|紹介する|紹介します|確認する|確認します)[。.]?\s*$"
    r"|^\W*(?:以下|次)(?:に|では|で|で、)[^。]{0,60}(?:述べる|述べます|示す|示します|説明する|説明します|見ていく|見ていきます|まとめる"
    r"|まとめます|整理する|整理します|紹介する|紹介します|検討する|検討します)[。.]?\s*$"
    r"|^\W*(?:以下の通り|以下のとおり|次の通り|次のとおり)(?:である|です)?[。.]?\s*$"
)
_HEADING_WORDS = 10
"""A line of more words than this is a sentence even if each has a capital."""
_HEADING_CHARACTERS = 25
"""The same for Japanese."""


def claims_something(sentence: str) -> bool:
    """Return whether `sentence` states something that a page could bear out.

    False for headings, questions, lead-ins such as "In short:" and remarks on the text itself. When in doubt, True.
    """
    text = unicodedata.normalize("NFKC", sentence[:_LOOKED_AT]).strip()
    if _HEADING.match(text):
        return False
    bare = _MARKUP.sub(" ", text).strip()
    words = [word for word in _WORD.findall(bare) if word.lower() not in ENGLISH]
    if _QUESTION.search(bare) or not words:
        return bool(_DIGIT.search(bare)) and not _QUESTION.search(bare)
    if _ABOUT_THE_TEXT.match(bare) or _ABOUT_THE_TEXT_JA.match(bare):
        return False
    if _DIGIT.search(bare):
        return True
    if _LEADS_IN.search(bare):
        return False
    return not _is_title(bare, words)


_LOOKED_AT = 4_000
"""Characters that are looked at: longer texts are no headings."""


def _is_title(text: str, words: list[str]) -> bool:
    """Whether a line without full stop reads like a heading: no predicate, or every word with a capital."""
    if _STOPS.search(text):
        return False
    if _WIDE.search(text):
        return len(text) <= _HEADING_CHARACTERS and not _HIRAGANA.search(text[-1])
    if len(words) == 1:
        return True
    return len(words) <= _HEADING_WORDS and all(not word[0].islower() for word in words)
