"""Databases and files of tables as sources: what is found, what is never done, and what a run makes of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import openpyxl
import psycopg
import pytest

import research
from research.core import Brief, SourceError, SourceKind, SourceName, UsageError
from research.settings import KeptService, Settings
from research.sources import FoundPage, Making, SearchRequest, provider
from research.sources.databases import SqlDatabase, TablesSource
from tests.support.postgresql import PostgresqlServer

SCHEMA = """
    CREATE TABLE complaints (day TEXT, customer TEXT, said TEXT, pumps INTEGER);
    INSERT INTO complaints VALUES ('2026-03-02', 'Aoba', 'The seal of the AN-300 leaks after 40 hours', 3),
        ('2026-03-09', 'Mori', 'Delivery came late', 1), ('2026-04-01', '青葉商事', '騒音が大きい', 2);
    CREATE TABLE sales (region TEXT, units INTEGER);
    INSERT INTO sales VALUES ('East', 120), ('West', 98);
    CREATE TABLE "odd ""name"" ; DROP TABLE sales" ("a ""b"" c" TEXT);
    INSERT INTO "odd ""name"" ; DROP TABLE sales" VALUES ('the seal of a door');
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    place = tmp_path / "house.sqlite"
    with closing(sqlite3.connect(place)) as connection:
        connection.executescript(SCHEMA)
    return place


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    (folder / "old").mkdir(parents=True)
    (folder / "complaints.csv").write_text(
        "day,customer,said,pumps\n2026-03-02,Aoba,The seal of the AN-300 leaks after 40 hours,3\n", encoding="utf-8"
    )
    with closing(duckdb.connect()) as connection:
        connection.execute(
            f"COPY (SELECT 'East' AS region, 120 AS units UNION ALL SELECT 'West', 98) TO '{folder}/old/sales.parquet'"
        )
    book = openpyxl.Workbook()
    book.worksheets[0].title = "doors"
    for row in (["a", "b"], ["the seal of a door", 1]):
        book.worksheets[0].append(row)
    book.save(folder / "book.xlsx")
    (folder / "broken.parquet").write_bytes(b"PAR1 no")
    (folder / "secret.txt").write_text("the seal", encoding="utf-8")
    return folder


def content(file: Path) -> bytes:
    return file.read_bytes()


def making(home: Path, name: str, **values: str) -> Making:
    return Making(Brief(question="?"), Settings(home=home, services={f"source_{name}": KeptService.of(**values)}))


def source(kind: str, database: Path, files: Path, home: Path) -> TablesSource:
    given = {"sql": {"address": f"sqlite:///{database}"}, "tables": {"folder": str(files)}}
    (made,) = provider(kind).made(making(home, kind, **given[kind])).searched
    assert isinstance(made, TablesSource)
    return made


async def found(made: TablesSource, query: str) -> list[FoundPage]:
    return await made.search(SearchRequest(query, 5))


@pytest.mark.parametrize("kind", ["sql", "tables"])
async def test_rows_with_the_words_are_found_with_the_statement_that_found_them(
    kind: str, database: Path, files: Path, tmp_path: Path
) -> None:
    made = source(kind, database, files, tmp_path)
    best, *others = await found(made, "Which seal of the AN-300 leaks?")
    assert "customer: Aoba; said: The seal of the AN-300 leaks after 40 hours; pumps: 3" in best.text
    assert "SELECT" in best.text and "complaints" in best.title and best.kind is SourceKind.DOCUMENT
    assert len(others) == 1 and "door" in others[0].text
    assert best.url.startswith(f"{kind}://" if kind == "sql" else "sql://tables/")
    (sales,) = await found(made, "units by region")
    assert "region: East; units: 120" in sales.text, "a table that is named is shown"
    assert await found(made, "volcano") == []


async def test_japanese_words_are_found(database: Path, files: Path, tmp_path: Path) -> None:
    (page,) = await found(source("sql", database, files, tmp_path), "騒音の苦情")
    assert "騒音が大きい" in page.text


@pytest.mark.parametrize("words", ["x'; DROP TABLE sales; --", "%", "_", "' OR 1=1 --", 'seal" OR "1"="1'])
async def test_no_word_becomes_a_statement_and_nothing_is_written(
    words: str, database: Path, files: Path, tmp_path: Path
) -> None:
    before = content(database)
    for kind in ("sql", "tables"):
        await found(source(kind, database, files, tmp_path), words)
    assert content(database) == before
    with pytest.raises(SourceError), SqlDatabase(f"sqlite:///{database}")._connected() as connection:
        connection.exec_driver_sql("DELETE FROM sales")


async def test_files_can_reach_nothing_else_once_they_are_read(database: Path, files: Path, tmp_path: Path) -> None:
    made = source("tables", database, files, tmp_path)
    assert {table.name for table in made.database.tables()} == {
        "complaints.csv", "old/sales.parquet", "book.xlsx doors",
    }  # fmt: skip
    opened = made.database._database  # type: ignore[attr-defined]
    for statement in (f"SELECT * FROM read_text('{files}/secret.txt')", "SET enable_external_access = true"):
        with pytest.raises(duckdb.Error):
            opened.execute(statement)


@pytest.mark.parametrize(
    "address",
    [
        "sqlite:////nowhere/x.sqlite",
        "nonsense",
        "unheard+of://a:pa55word@h/x",
        "postgresql+psycopg://a:pa55word@127.0.0.1:1/x",
    ],
)
async def test_a_database_that_is_not_there_is_told_without_its_password(address: str, tmp_path: Path) -> None:
    (made,) = provider("sql").made(making(tmp_path, "sql", address=address)).searched
    with pytest.raises(SourceError) as caught:
        await made.search(SearchRequest("seal", 5))
    assert caught.value.code == "search_unreachable" and "pa55word" not in str(caught.value) + caught.value.detail
    assert "pa55word" not in repr(making(tmp_path, "sql", address=address).settings)


async def test_postgresql_is_only_read(postgresql: PostgresqlServer) -> None:
    address = postgresql.new_database().get_secret_value().replace("postgresql://", "postgresql+psycopg://")
    made = SqlDatabase(address)
    with psycopg.connect(address.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE sales (region TEXT, units INTEGER)")
        connection.execute("INSERT INTO sales VALUES ('East', 120)")
    (page,) = await TablesSource(SourceName("sql"), made).search(SearchRequest("East", 5))
    assert "region: East; units: 120" in page.text
    with pytest.raises(SourceError), made._connected() as opened:
        opened.exec_driver_sql("DELETE FROM sales")


def test_what_is_not_set_up_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="SQL_ADDRESS"):
        provider("sql").made(making(tmp_path, "tables"))


async def test_a_run_quotes_rows_of_a_database_that_is_set_up(database: Path, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, services={"source_sql": KeptService.of(address=f"sqlite:///{database}")})
    report = await research.run("Which seal of the AN-300 leaks after how many hours?", settings=settings)
    assert "40 hours" in report.markdown and "complaints" in report.markdown
    assert set(report.sources["kind"]) == {"document"}
