"""Words of what is handed out: units, periods, dates, and the language that a text is in."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import lxml.html
import pytest

from research.core import Age, freshness
from research.export.document import Citation, SourceItem
from research.export.html import to_html
from research.export.pdf import to_pdf
from research.export.words import measure_in_words, period_in_words, tongue, tongue_of
from research.language import Bilingual, Language
from tests.support.pdf_samples import document, paragraph, read, source, structure


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("JPY", "円"),
        ("JPY/kWh", "円/kWh"),
        ("USD", "米ドル"),
        ("days", "日"),
        ("JPY/people", "円/人"),
        ("kWh", "kWh"),
        ("XXQ", "XXQ"),
        ("", ""),
    ],
)
def test_a_measure_in_japanese(measure: str, words: str) -> None:
    assert measure_in_words(measure, Language.JA) == words
    assert measure_in_words(measure, Language.EN) == measure


@pytest.mark.parametrize(
    ("period", "english", "japanese"),
    [
        ("2024", "2024", "2024"),
        ("2024-Q1", "2024 Q1", "2024年Q1"),
        ("2024-05", "May 2024", "2024年5月"),
        ("2024-05-12", "12 May 2024", "2024年5月12日"),
        ("FY2024", "FY2024", "2024年度"),
        ("FY2024-H1", "FY2024 H1", "2024年度上期"),
        ("FY2024-03", "FY to Mar 2024", "2024年3月期"),
        ("1990s", "1990s", "1990年代"),
        ("2024/25", "2024/25", "2024/25"),
        ("FY2019/FY2021", "FY2019 – FY2021", "2019年度〜2021年度"),
        ("2024-13", "2024-13", "2024-13"),
        ("Vietnam", "Vietnam", "Vietnam"),
        ("", "", ""),
    ],
)
def test_a_period_is_written_in_words(period: str, english: str, japanese: str) -> None:
    assert (period_in_words(period, Language.EN), period_in_words(period, Language.JA)) == (english, japanese)


# --- how recent information is, from dates of any precision ----------------------------------------------------------


TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("published", "age"),
    [
        ("2026-11-21", Age.RECENT),
        ("2026-08-21", Age.RECENT),
        ("2026-08-20", Age.DATED),
        ("2026-11", Age.RECENT),
        ("2026-09", Age.RECENT),
        ("2026-08", Age.DATED),
        ("2026", Age.DATED),
        ("2019", Age.DATED),
        ("2026-11-20T23:30:00+00:00", Age.RECENT),
        (None, Age.UNKNOWN),
        ("", Age.UNKNOWN),
        ("2026-12-01", Age.UNKNOWN),
        ("last week", Age.UNKNOWN),
        ("2026-13", Age.UNKNOWN),
        ("2026-02-31", Age.UNKNOWN),
    ],
)
def test_age(published: str | None, age: Age) -> None:
    assert freshness(published, TODAY).age is age


def test_early_in_a_year_the_year_itself_is_recent() -> None:
    assert freshness("2026", date(2026, 2, 1)).age is Age.RECENT


def test_what_a_reader_is_told() -> None:
    assert freshness("2026-11", TODAY).label == Bilingual("Nov 2026 · last three months", "2026年11月 · 直近3か月")
    assert freshness("2020", TODAY).label == Bilingual("2020", "2020年")
    assert freshness(None, TODAY).label == Bilingual("date unknown", "日付不明")


# --- which language a text is in decides how its letters are drawn; bare Chinese characters are taken for Japanese ---


BARE = "直角骨海今令"
"""Characters that every country writes, each in its own shape."""


def page(title: str, quote: str = "", url: str = "https://example.org/") -> SourceItem:
    return source(1, title=title, url=url, quotes=(quote or title,))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("世界経済の見通し", "ja"),
        (BARE, "ja"),
        ("日本銀行統計", "ja"),
        ("國學院大學", "ja"),
        ("慶應義塾大學 內田", "ja"),
        ("独立行政法人経済産業研究所", "ja"),
        ("国家统计局", "zh-Hans"),
        ("中华人民共和国海关总署", "zh-Hans"),
        ("經濟部統計處說明：內銷產品", "zh-Hant"),
        ("根據經濟部統計處的資料，臺灣今年的出口總額較去年增加", "zh-Hant"),
        ("我們這裡", "zh-Hant"),
        ("한국은행 경제통계 (韓國銀行)", "ko"),
        ("A report on 武汉 in English", "en"),
        ("تقرير عن الاقتصاد", "ar"),
        ("2025 – 4.2%", "ja"),
    ],
)
def test_a_text_tells_its_language_where_it_can(text: str, code: str) -> None:
    assert tongue(text, Language.JA) == code


def test_the_page_tells_of_bare_characters() -> None:
    assert tongue(BARE, Language.EN, "zh-Hans") == "zh-Hans"
    assert tongue("骨のある角度", Language.EN, "zh-Hans") == "ja", "kana tell more"
    assert tongue("说明", Language.EN, "ja") == "zh-Hans"


@pytest.mark.parametrize(
    ("title", "quote", "url", "code"),
    [
        (BARE, "国家统计局发布", "https://example.org/", "zh-Hans"),
        (BARE, "", "https://www.stats.gov.cn/a", "zh-Hans"),
        (BARE, "", "https://www.moea.gov.tw/", "zh-Hant"),
        (BARE, "直接投資の動き", "https://example.cn/", "ja"),
        (BARE, "한국", "https://example.org/", "ko"),
        (BARE, "", "http://[", ""),
        ("Annual report", "Sales rose.", "https://example.cn/", ""),
    ],
)
def test_a_source_is_read_as_a_whole(title: str, quote: str, url: str, code: str) -> None:
    assert tongue_of(page(title, quote, url)) == code


@pytest.mark.parametrize("sign", list("直骨"))
def test_a_character_is_drawn_as_its_country_writes_it(sign: str) -> None:
    drawn = {country: outline_of(sign, f"https://example.{country}/") for country in ("jp", "cn", "tw")}
    assert drawn["jp"] != drawn["cn"]
    assert len(set(drawn.values())) > 1


def outline_of(sign: str, url: str) -> bytes:
    """The typeface, cut down to what is used, of a PDF whose only Chinese character is quoted from an address."""
    sheets = read(to_pdf(document(paragraph("x"), sources=(page("x", sign, url),)))).pages
    fonts = [font.get_object() for sheet in sheets for font in sheet["/Resources"]["/Font"].values()]  # type: ignore[index]
    (face,) = [font for font in fonts if "CJK" in str(font["/BaseFont"])]
    outline: bytes = face["/DescendantFonts"][0].get_object()["/FontDescriptor"]["/FontFile3"].get_object().get_data()
    return outline


def test_both_formats_name_the_language_of_titles_and_quotes() -> None:
    chinese = page("国家统计局", "直接投资", "https://www.stats.gov.cn/")
    given = document(paragraph("“直接投资”", Citation(1)), sources=(chinese, replace(page("Plain"), number=2)))
    languages = [str(node.get("/Lang", "")) for node in structure(to_pdf(given))]
    assert languages.count("zh-CN") == 2, "the paragraph, and the entry of the source"
    root = lxml.html.document_fromstring(to_html(given))
    assert root.xpath("//section[1]/p/@lang") == ["zh-Hans"]
    assert root.xpath("//li[@id='s1']//bdi[1]/@lang") == ["zh-Hans"]
    assert root.xpath("//li[@id='s1']//blockquote/p/@lang") == ["zh-Hans"]
    assert not root.xpath("//li[@id='s2']//@lang")
