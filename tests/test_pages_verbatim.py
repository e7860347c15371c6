"""Words of others never reach a part of Streamlit that reads Markdown, but through `verbatim`."""

import ast
import re
from pathlib import Path

import pytest

from pages.parts.ui import verbatim

ROOT = Path(__file__).parents[1]
FILES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
READS_MARKDOWN = re.compile(
    r"badge|button|caption|checkbox|\w+_button|error|expander|file_uploader|header|info|markdown|metric|multiselect"
    r"|number_input|page_link|popover|radio|selectbox|slider|spinner|subheader|success|text_area|text_input|title"
    r"|toast|toggle|warning|write|date_input|pills|segmented_control|dialog"
)
"""Functions of Streamlit whose first argument, a label or a message, is read as Markdown, as is every `help`."""
OURS = re.compile(r"_|n_|of_term|number|size|moment|percent|duration|dollars|labels|explained|verbatim")
"""What returns texts of the catalogue, figures and dates, or makes words of others safe."""
NOT_STREAMLIT = ("_log", "files", "engine().store")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_nothing_but_our_own_texts_is_read_as_markdown(file: Path) -> None:
    assert not [f"{text.lineno}: {ast.unparse(text)}" for text in _texts(file) if not _is_safe(text)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_options_that_are_read_as_markdown_have_their_words_made_safe(file: Path) -> None:
    offered = [call for call in _calls(file) if _name(call) in ("pills", "segmented_control", "radio")]
    assert all(any(keyword.arg == "format_func" for keyword in call.keywords) for call in offered)


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
