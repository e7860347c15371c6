"""Japanese texts are spaced in one way: a numeral and its counter stand together, Latin words stand apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from research.language import Language, catalogue

ROOT = Path(__file__).resolve().parents[1]
_JA = "[ぁ-んァ-ヶー一-龥々]"
_COUNTER = "[件回個人社点章節文秒分時年月日割倍円行列語本枚]|か所|ページ|トークン|米?ドル|種類|サイト|以[上下]"
APART = re.compile(rf"[0-9}}] (?={_COUNTER})|{_JA} [0-9]")
TOGETHER = re.compile(rf"{_JA}[A-Za-z]|[A-Za-z]{_JA}")
AS_SPELLED = re.compile("y年M月(?:d日)?|ポンプAN-300")
"""A pattern of dates, and a name as the sample documents spell it."""


def in_the_catalogue() -> Iterator[str]:
    return iter(catalogue(Language.JA).values())


def in_the_code(*left_out: str) -> Iterator[str]:
    """Yield the Japanese half of each text that is said in both languages; `{}` stands for what is filled in."""
    for path in (path for part in ("research", "pages") for path in (ROOT / part).rglob("*.py")):
        if set(left_out) & {*path.parts}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Bilingual"), args=[_, ja]):
                    yield "".join(said(ja))


def said(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.FormattedValue():
            yield "{}"
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from said(part)


def test_a_numeral_stands_with_its_counter() -> None:
    found = [*in_the_catalogue(), *in_the_code()]
    assert len(found) > 1_000
    assert [text for text in found if APART.search(text)] == []


def test_latin_words_stand_apart() -> None:
    # The words by which aspects of a question are found are spelled as sources spell them.
    found = [*in_the_catalogue(), *in_the_code("analysts")]
    assert [text for text in found if TOGETHER.search(AS_SPELLED.sub("", text))] == []
