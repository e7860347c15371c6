"""The product speaks both languages: each text that it says has its Japanese, and the catalogue holds no other."""

from __future__ import annotations

import ast
import re
import string

from babel.messages.catalog import Message
from pydantic import TypeAdapter

from bench import texts
from pages.parts.ui import Ui
from research.language import Bilingual, Language, Phrase, translated
from research.text import places_in

CATALOGUE = texts.entries(texts.kept())
JAPANESE = re.compile(r"[　-ヿ一-鿿＀-￯]")
NAMES = {"A4", "Tavily"}
"""Texts that are the same in both languages."""
LATIN = {"Azure AI Search", "Social media", "social media"}
"""Texts whose Japanese (SNS) is written in Latin letters."""


def key(entry: Message) -> tuple[str, tuple[str, ...]]:
    return entry.context or "", texts.forms(entry.id)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def calls(tree: ast.AST) -> list[ast.Call]:
    """Every call that says a text: `Phrase(…)`, `ui._(…)`, `ui.n_(…)`."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        call
        for call in found
        if (isinstance(call.func, ast.Name) and call.func.id == "Phrase")
        or (isinstance(call.func, ast.Attribute) and call.func.attr in ("_", "n_"))
    ]


def test_no_text_hides_from_the_extractor() -> None:
    """What is no literal cannot be found, and so would have no Japanese."""
    hidden = [
        f"{path.relative_to(texts.ROOT)}:{call.lineno}"
        for path in texts.sources()
        for call in calls(ast.parse(path.read_text(encoding="utf-8")))
        for argument in (*call.args[:2], *call.keywords)
        if not isinstance(argument, ast.Constant)
    ]
    assert hidden == []


def test_the_catalogue_holds_what_the_code_says_and_nothing_else() -> None:
    refreshed = texts.refreshed(texts.said(), texts.kept())
    assert texts.lacking(refreshed) == []
    assert {key(entry) for entry in CATALOGUE} == {key(entry) for entry in texts.entries(refreshed)}
    assert not texts.kept().obsolete


def test_each_entry_is_japanese() -> None:
    assert all(len(texts.forms(entry.string)) == 1 and not entry.fuzzy for entry in CATALOGUE)
    english = {texts.forms(entry.id)[0] for entry in CATALOGUE if not JAPANESE.search(texts.forms(entry.string)[0])}
    assert english <= NAMES | LATIN


def test_both_languages_have_the_same_placeholders() -> None:
    apart = [
        form
        for entry in CATALOGUE
        for form in texts.forms(entry.id)
        if fields(form) != fields(texts.forms(entry.string)[0])
    ]
    assert apart == []


def test_a_text_is_said_in_both_languages() -> None:
    text = Phrase("Start research")
    assert (text.en, text.ja) == ("Start research", "調査を開始")
    assert text.in_(Language.JA) == text.ja
    assert text == Bilingual("Start research", "調査を開始")
    assert translated("No such text", Language.JA) == "No such text"
    assert Phrase("Title", "of a run").ja == "タイトル"


def test_a_text_is_filled_in_both_languages() -> None:
    filled = Bilingual("{what}: {0}", "{what}：{0}").filled(3, what=Phrase("Start research"))
    assert [*filled] == ["Start research: 3", "調査を開始：3"]
    place = next(iter(places_in("What does Laos export?")))
    assert Bilingual("{}", "{}").filled(place) == Bilingual(place.en, place.ja)


def test_a_text_is_stored_as_a_pair() -> None:
    adapter = TypeAdapter(Bilingual)
    for text in (Phrase("Start research"), Bilingual("{}", "{}").filled(Phrase("Start research"))):
        stored = adapter.dump_json(text)
        assert stored.decode() == '["Start research","調査を開始"]'
        assert adapter.validate_json(stored) == text
        assert adapter.validate_python(text) is text
    assert adapter.validate_python(("a", "b")) == Bilingual("a", "b")


def test_the_pages_say_one_and_many() -> None:
    one, many = "{count} quote", "{count} quotes"
    assert [Ui(Language.EN).n_(one, many, count) for count in (0, 1, 2)] == ["0 quotes", "1 quote", "2 quotes"]
    assert Ui(Language.JA).n_(one, many, 1) == "引用 1件"
