"""The interface speaks both languages: each text of the pages has an entry in both catalogues, and no entry is left."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from pages.parts.ui import catalogue
from research.language import Language

ROOT = Path(__file__).resolve().parents[1]
KEYWORDS = {"_": None, "n_": (1, 2)}
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]

Message = str | tuple[str, ...]


def in_the_code() -> set[Message]:
    """Every text that the pages say; a form for one and a form for many are a pair."""
    return {found[1] for path in SOURCES for found in extract_from_file("python", path, keywords=KEYWORDS)}


def read(language: Language) -> Catalog:
    with (ROOT / "pages/locale" / language / "LC_MESSAGES/workbench.po").open("rb") as file:
        return read_po(file, locale=language.value)


def forms(message: Message | list[str]) -> list[str]:
    return [message] if isinstance(message, str) else list(message)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_texts_are_found_in_the_code() -> None:
    found = in_the_code()
    assert "Start research" in found
    assert ("{count} quote", "{count} quotes") in found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_text_hides_from_the_extractor(path: Path) -> None:
    """Babel does not look into f-strings, and cannot read what is no literal."""
    calls = re.findall(r"\._\((.)|\bn_\((.)", path.read_text(encoding="utf-8").replace("\n", "").replace(" ", ""))
    found = list(extract_from_file("python", path, keywords=KEYWORDS))
    said = [first or second for first, second in calls if (first or second) in "\"'"]
    assert len(said) == len(found)


@pytest.mark.parametrize("language", list(Language))
def test_a_catalogue_holds_what_the_code_says_and_nothing_else(language: Language) -> None:
    entries = {entry.id if isinstance(entry.id, str) else tuple(entry.id) for entry in read(language) if entry.id}
    assert entries == in_the_code()


@pytest.mark.parametrize("language", list(Language))
def test_every_entry_is_translated_with_the_same_placeholders(language: Language) -> None:
    for entry in (entry for entry in read(language) if entry.id):
        assert not entry.fuzzy, entry.id
        said = forms(entry.string)
        assert all(text.strip() for text in said), entry.id
        for text in said:
            assert fields(text) == fields(forms(entry.id)[-1]), entry.id


@pytest.mark.parametrize("language", list(Language))
def test_a_catalogue_has_as_many_plural_forms_as_its_language(language: Language) -> None:
    read_ = read(language)
    plurals = [entry for entry in read_ if isinstance(entry.id, tuple)]
    assert plurals
    assert {len(entry.string) for entry in plurals} == {read_.num_plurals}
    assert not read_.obsolete


def test_the_catalogue_is_loaded_and_speaks() -> None:
    assert catalogue(Language.EN).gettext("Start research") == "Start research"
    assert catalogue(Language.JA).gettext("Start research") == "調査を開始"
    assert catalogue(Language.EN).ngettext("{count} quote", "{count} quotes", 1) == "{count} quote"
    assert catalogue(Language.JA).ngettext("{count} quote", "{count} quotes", 1) == "引用 {count}件"


def test_japanese_entries_are_japanese() -> None:
    untranslated = {
        str(entry.id)
        for entry in read(Language.JA)
        if entry.id and not re.search(r"[ぁ-ヿ一-鿿]", "".join(forms(entry.string)))
    }
    assert untranslated == set()
