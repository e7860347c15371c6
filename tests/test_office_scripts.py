"""Japanese, Chinese, Korean and Latin text in Office files: each named as what it is, in a typeface that has it."""

from __future__ import annotations

import io

import docx
import pytest
from docx.oxml.ns import qn as word_name
from pptx import Presentation
from pptx.oxml.ns import qn

from research.export.office import to_docx, to_pptx
from research.export.office.common import face_of
from research.language import Language
from tests.support.office_samples import body, heading, items, parts_of

TEXTS = {
    "서울의 경제 성장률은 2.1%이다.": ("ko-KR", "Malgun Gothic"),
    "中国经济增长率为百分之五": ("zh-CN", "Microsoft YaHei"),
    "我們的經濟成長率這樣計算": ("zh-TW", "Microsoft JhengHei"),
}


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("卸電力価格は上昇した。", "ja-JP"),
        ("経済成長率", "ja-JP"),
        *((text, tag) for text, (tag, _) in TEXTS.items()),
        ("Plain words", None),
        ("“Curly” – dash", None),
        ("The word 日本 in English prose", None),
        ("", None),
    ],
)
def test_text_is_told_by_its_letters(text: str, tag: str | None) -> None:
    face = face_of(text)
    assert (face.tag if face else None) == tag


@pytest.mark.parametrize("language", Language)
def test_word_names_chinese_and_korean_and_leaves_japanese_to_the_styles(language: Language) -> None:
    given = body(heading("A"), items(*TEXTS, "日本語の文です。", "English words"), language=language)
    found = {}
    for run in docx.Document(io.BytesIO(to_docx(given))).element.iter(word_name("w:r")):
        words = "".join(node.text or "" for node in run.iter(word_name("w:t")))
        named = [
            node.get(word_name("w:eastAsia")) for kind in ("w:lang", "w:rFonts") for node in run.iter(word_name(kind))
        ]
        found[words] = tuple(named)
    assert {text: found[text] for text in TEXTS} == TEXTS
    assert found["日本語の文です。"] == found["English words"] == ()


@pytest.mark.parametrize("language", Language)
def test_powerpoint_names_the_language_of_each_run(language: Language) -> None:
    given = body(heading("A"), items(*TEXTS, "日本語の文です。", "English words"), language=language)
    runs = {}
    for slide in Presentation(io.BytesIO(to_pptx(given))).slides:
        for run in slide.shapes._spTree.iter(qn("a:r")):
            properties = run.find(qn("a:rPr"))
            typeface = properties.find(qn("a:ea"))
            runs[run.find(qn("a:t")).text] = (
                properties.get("lang"),
                None if typeface is None else typeface.get("typeface"),
            )
    assert {text: runs[text] for text in TEXTS} == TEXTS
    assert runs["日本語の文です。"] == ("ja-JP", None)
    assert runs["English words"] == ("en-US", None)


def test_word_is_told_what_to_take_where_a_typeface_is_missing() -> None:
    fonts = parts_of(to_docx(body(heading("A"))))["word/fontTable.xml"].decode()
    styles = parts_of(to_docx(body(heading("A"))))["word/styles.xml"].decode()
    assert '<w:font w:name="Yu Gothic"><w:altName w:val="游ゴシック"/>' in fonts
    for name in ("Calibri", "Yu Gothic", "Consolas", "MS Gothic"):
        assert f'"{name}"' in styles
        assert f'w:name="{name}"' in fonts
