"""The words that Office files add to a report, in both languages."""

from __future__ import annotations

from research.language import Bilingual, Language

CONTENTS = Bilingual("Contents", "目次")
SOURCES = Bilingual("Sources", "情報源")
SOURCES_HERE = Bilingual("Sources: ", "情報源：")
BRIEF = Bilingual("What was asked for", "調査の条件")
COLUMNS = Bilingual("Columns {first}–{last} of {total}", "列 {first}〜{last}（全{total}列）")
QUESTION = Bilingual("Question: {question}", "問い：{question}")
GOES_ON = Bilingual(" (continued)", "（続き）")
REST_IN_NOTES = Bilingual("{count} more rows: in the notes of this slide", "残り{count}行はこのスライドのノートに記載")
_NEEDS = Bilingual(
    "{what} needs python-pptx: pip install 'research-workbench[documents]'.",
    "{what}には python-pptx が必要です。次のコマンドで追加できます：pip install 'research-workbench[documents]'",
)
DECK = Bilingual("A PowerPoint file", "PowerPoint ファイルの出力")
CHARTS = Bilingual("A Word file with charts", "グラフ入り Word ファイルの出力")
_TAGS = {Language.EN: "en-US", Language.JA: "ja-JP"}


def missing(what: Bilingual, language: Language) -> str:
    """Say which command installs what is missing."""
    return _NEEDS.in_(language).format(what=what.in_(language))


def tag(language: Language) -> str:
    """Return the language's tag as Office writes it."""
    return _TAGS[language]
