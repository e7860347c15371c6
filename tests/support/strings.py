"""Texts that nobody writes, and on which careless expressions and loops take their time: one thing over and over."""

from __future__ import annotations

from collections.abc import Callable

_PIECES = (
    "a", " ", "a ", "1,", "(", "[", "{", "# a # ", "。", "-", "<", "&", "|", "\n", "１", "1", "1.", "0 ", '"', "“",
    "「", "'", "http://a.b/", "https://x ", "2024-01-01 ", "2024年", "1/2/", "of the ", "ア", "アー", "漢", "ー",
    "あ", "[E1]", "(E1,", "![", "[a](", "**", "*a ", "_a", "`", "``` ", "~~", "> ", "- ", "1) ", "1. a\n",
    "| a | b |\n", "|---|---|\n", "a: ", "a：", "; ", "、", "・", "の", "と", "A", "Aa ", "A.B.", "Mr. ", "$1 ",
    "1% ", "%", "１０", "百", "億", "一二", "、a", "「a", "(a", "a)", "[a]", "=", "==\n", "#", "###### a\n", "\t",
    "\r\n", "\u3000", "\u00a0", "é", "e\u0301", "\u200b", "\U0001f600", "\\", "\\[", "&amp;", "&#", "<a ", "<!--",
    "www.", "a@", "a.b.", "a,b ", "from 1 to ", "between 1 and ", "not ", "no longer ", "January 1, ", "Q1 ",
    "FY2024 ", "FY", "1 million ", "USD ", "円", "1円", "から", "令和元年", "第1四半期", "上期", "The ",
    "The A of B ", "A and B ", "A, B, ", "increased by ", "less than 1 ", "1-", "1–2 ", "---\n", "a\n\n", "a. ", "…",
    "(1) ", "(a: ", "E1-", "x1", "1e", "1:1:", "+1", "1〜", "No.1 ", "km ", "【", "［E1］", "a（b）", "ｱ", "한", "ا",
    "Sales: 1\nCosts: 2\n", "売上高：1億円、", "これは文です。", "a,b,c\n", "1,234.5 ", "1 234 ", "1999 2001 ",
    "a: 1; ", "did not ", "10% to 20% ", "2020-2021-", "U.S.", "a-", "a'", "アイ・ウエ・", "“a” 'b' \"c\" 「d」",
    "([{（「【", "a**b*c", "**増えた。**", '{"a":', "<p>a<b>", "<think>", "[\n", "[a]: b\n", " \n", "の何%が",
)  # fmt: skip
_SHAPES: dict[str, Callable[[int], str]] = {
    "round brackets in brackets": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "square brackets in brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "images in images": lambda n: "![" * (n // 6) + "](x)" * (n // 6),
    "emphasis in emphasis": lambda n: "*a " * (n // 6) + "b*" * (n // 6),
    "quotations in quotations": lambda n: "> " * (n // 2) + "a",
    "a stop at the very end": lambda n: "a" * n + "。",
    "a unit at the very end": lambda n: "1" * n + " million",
    "a date at the very end": lambda n: "1 " * (n // 2) + "January 2024",
    "a label and a value": lambda n: "a" * (n // 2) + ": " + "b" * (n // 2),
    "a label and figures": lambda n: "a " * (n // 4) + ": " + "1," * (n // 4),
    "a row and its rule": lambda n: "| a " * (n // 8) + "\n" + "|-- " * (n // 8) + "\n",
    "a table": lambda n: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * (n // 10),
    "ever longer backticks": lambda n: "".join("`" * k + " " for k in range(1, int((2 * n) ** 0.5))),
    "ids without an end": lambda n: "[" + "E1, " * (n // 4),
    "a mark without an end": lambda n: "(E1" + " " * n,
    "an address": lambda n: "http://" + "a" * n,
    "an address with questions": lambda n: "http://a/" + "?a=b&" * (n // 5),
    "blanks between letters": lambda n: "a" + " " * n + "b",
    "wide blanks between letters": lambda n: "売" + "\u3000" * n + "上",
    "line ends between letters": lambda n: "a" + "\n" * n + "b",
    "emphasis that goes on": lambda n: "**" + "!" * n + "a",
    "a quotation that goes on": lambda n: "“" + "a. " * (n // 3),
    "front matter": lambda n: "---\n" + "a: b\n" * (n // 5) + "---\n",
    "all sorts": lambda n: "ア1a 漢(の[2024年 $1.5 million - “x” | # 1% ）、。\n" * (n // 40),
}


def strings(length: int) -> dict[str, str]:
    """Return the texts by what they are made of, each of about `length` characters."""
    made = {f"{piece!r} over and over": piece * (length // len(piece)) for piece in _PIECES}
    return made | {name: shape(length) for name, shape in _SHAPES.items()}
