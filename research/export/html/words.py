"""What the HTML report itself says, in both languages."""

from __future__ import annotations

from research.language import Bilingual

QUESTION = Bilingual("Question", "問い")
BRIEF = Bilingual("What was asked for", "調査の条件")
CONTENTS = Bilingual("Contents", "目次")
SOURCES = Bilingual("Sources", "情報源")
SOURCE = Bilingual("Source {number}: {title}", "情報源{number}：{title}")
QUOTED = Bilingual("Quoted", "引用")
READ = Bilingual("read on {date}", "{date}に取得")
CITED_AT = Bilingual("Cited at", "本文中の引用箇所")
PLACE = Bilingual("Citation {place} of source {number}", "情報源{number}の引用箇所{place}")
CLOSE = Bilingual("Close", "閉じる")
RECENT = Bilingual("Information of the last three months", "直近3か月の情報")
COLUMNS = Bilingual("Columns {first}–{last} of {total}", "列 {first}〜{last}（全{total}列）")
TABLE = Bilingual("Table", "表")

VALUES = Bilingual("Values", "数値")
PERIOD = Bilingual("Period", "時期")
FIGURES_FROM = Bilingual("Source of the figures:", "数値の出典：")
NOTHING_DRAWN = Bilingual("There is no value that can be drawn.", "グラフにできる値がありません。")
LINE_CHART = Bilingual("Line chart, {first} to {last}.", "折れ線グラフ（{first}〜{last}）。")
BAR_CHART = Bilingual("Bar chart.", "棒グラフ。")
BAR = Bilingual("{name}: {value}", "{name}：{value}")
POINT = Bilingual("{name}, {period}: {value}", "{name}、{period}：{value}")
SERIES_RANGE = Bilingual("{name}: {first} to {last}.", "{name}：{first}〜{last}。")
