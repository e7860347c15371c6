"""What pages say by themselves: language, dates and figures, Streamlit's own words, and words of others made safe."""

from __future__ import annotations

import ast
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pages.parts.native_words import words
from pages.parts.ui import Ui, preferred, verbatim
from research.language import Language

EN, JA = Ui.of(Language.EN, "Europe/London"), Ui.of(Language.JA, "Asia/Tokyo")


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("ja", "ja"),
        ("ja-JP", "ja"),
        ("JA_jp", "ja"),
        ("en-GB,en;q=0.9,ja;q=0.8", "en"),
        ("fr", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_the_browser_decides_the_language(asked: str | None, language: str) -> None:
    assert preferred(asked) == language


def test_moments_are_told_in_the_readers_time_zone_and_language() -> None:
    moment = datetime(2026, 11, 21, 22, 7, tzinfo=UTC)
    assert EN.moment(moment) == "21\u00a0Nov\u00a02026, 22:07"
    assert JA.moment(moment) == "2026年11月22日 7:07"


def test_an_unknown_time_zone_counts_as_utc() -> None:
    assert Ui.of(Language.EN, "Mars/Base").timezone is UTC
    late = datetime(2026, 11, 26, 20, tzinfo=UTC)
    assert (EN.day(late), JA.day(late)) == ("26\u00a0Nov\u00a02026", "2026年11月27日")
    assert Ui.of(Language.EN, None).timezone is UTC


@pytest.mark.parametrize(
    ("known", "en", "ja"),
    [
        ("2025", "2025", "2025年"),
        ("2025-06", "Jun\u00a02025", "2025年6月"),
        ("2025-06-03", "3\u00a0Jun\u00a02025", "2025年6月3日"),
        ("last year", "last year", "last year"),
        ("2025-13", "2025-13", "2025-13"),
    ],
)
def test_dates_are_as_precise_as_known(known: str, en: str, ja: str) -> None:
    assert EN.partial_date(known) == en
    assert JA.partial_date(known) == ja


@pytest.mark.parametrize(
    ("seconds", "en", "ja"),
    [(0.4, "0 s", "0秒"), (59.4, "59 s", "59秒"), (148.2, "2 min 28 s", "2分28秒"), (7_320, "2 h 2 min", "2時間2分")],
)
def test_durations(seconds: float, en: str, ja: str) -> None:
    assert EN.duration(seconds) == en
    assert JA.duration(seconds) == ja


def test_numbers_sizes_and_money() -> None:
    assert EN.number(12345) == "12,345"
    assert EN.percent(0.456) == "46%"
    assert (EN.dollars(0), EN.dollars(0.0039), EN.dollars(1234.5)) == ("$0.00", "$0.0039", "$1,234.50")
    assert [EN.size(count) for count in (0, 12, 43_210, 52_400_000)] == ["0 kB", "1 kB", "43 kB", "52.4 MB"]
    assert EN.listed(["MD", "PDF", "CSV"]) == "MD, PDF, and CSV"
    assert JA.n_("{count} quote", "{count} quotes", 1_200) == "引用 1,200件"


# --- what stands for Streamlit's own words ---------------------------------------------------------------------------


_OURS = {"streamlit run yourscript.py"}


@pytest.mark.parametrize("ui", [EN, JA], ids=str)
def test_what_stands_for_a_text_has_no_hole_that_the_text_does_not_fill(ui: Ui) -> None:
    for text, said in words(ui).items():
        holes = iter(re.findall(r"[#*]", text))
        assert all(hole in holes for hole in re.findall(r"[#*]", said)), text


def test_what_a_long_notice_hides_is_offered_in_the_readers_language() -> None:
    assert [words(JA)[text] for text in ("view more", "view less")] == ["すべて表示", "折りたたむ"]


def test_all_of_it_is_said_in_japanese() -> None:
    foreign = {text for text, said in words(JA).items() if not re.search(r"[ぁ-ヿ一-鿿]", said)}
    assert foreign == _OURS


# --- words of others never reach a part of Streamlit that reads Markdown, but through `verbatim` ---------------------


ROOT = Path(__file__).parents[1]
FILES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
READS_MARKDOWN = re.compile(
    r"badge|button|caption|checkbox|\w+_button|error|expander|file_uploader|header|info|markdown|metric|multiselect"
    r"|number_input|page_link|popover|radio|selectbox|slider|spinner|header|subheader|success|text_area|text_input|title"
    r"|toast|toggle|warning|write|date_input|pills|segmented_control|dialog"
)
"""Functions of Streamlit whose first argument, a label or a message, is read as Markdown, as is every `help`."""
OURS = re.compile(r"_|n_|of_term|number|size|moment|percent|duration|dollars|labels|explained|verbatim")
"""What returns texts of the catalogue, figures and dates, or makes words of others safe."""
NOT_STREAMLIT = ("_log", "files", "engine().store")


def test_nothing_but_our_own_texts_is_read_as_markdown() -> None:
    read = [(file, text) for file in FILES for text in _texts(file)]
    assert [f"{file}:{text.lineno}: {ast.unparse(text)}" for file, text in read if not _is_safe(text)] == []


def test_options_that_are_read_as_markdown_have_their_words_made_safe() -> None:
    offered = [(file, call) for file in FILES for call in _calls(file)]
    bare = [
        f"{file}:{call.lineno}"
        for file, call in offered
        if _name(call) in ("pills", "segmented_control", "radio")
        and not any(keyword.arg == "format_func" for keyword in call.keywords)
    ]
    assert bare == []


@pytest.mark.parametrize(
    "name", ["![x](http://e.example)", "http://e.example", "www.e.example", "me@e.example", ":red[x]", "$x$", "<b>"]
)
def test_words_of_others_stand_as_they_are(name: str) -> None:
    bare = verbatim(f"Imported: {name}").replace("\\[", "")
    assert not any(sign in bare for sign in ("![", "://", "<", "www.", "e@", ":red", " $"))


def _calls(file: Path) -> list[ast.Call]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _name(call: ast.Call) -> str:
    """Return the name of a function of Streamlit; empty for one of ours."""
    if isinstance(call.func, ast.Name):
        return "toast" if call.func.id == "tell" else ""
    is_ours = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in NOT_STREAMLIT
    return "" if is_ours else getattr(call.func, "attr", "")


def _texts(file: Path) -> list[ast.expr]:
    found: list[ast.expr] = []
    for call in _calls(file):
        if READS_MARKDOWN.fullmatch(_name(call)):
            found += call.args[:1]
            found += [keyword.value for keyword in call.keywords if keyword.arg in ("help", "label", "body", "text")]
    return found


def _is_safe(text: ast.expr) -> bool:
    match text:
        case ast.IfExp(body=one, orelse=other):
            held = [one, other]
        case ast.JoinedStr(values=held):
            pass
        case ast.FormattedValue(value=value) | ast.Subscript(value=value):
            held = [value]
        case ast.Call(func=ast.Attribute(value=whole, attr="format"), args=args, keywords=named):
            held = [whole, *args, *(one.value for one in named)]
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=args) if OURS.fullmatch(name):
            return name == "verbatim" or not any("error" in ast.unparse(one) for one in args)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper() or name == "help_"
        case _:
            return isinstance(text, ast.Constant)
    return all(map(_is_safe, held))
