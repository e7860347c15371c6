"""What a house keeps, as sources: a database, by its SQLAlchemy address; folders of tables, by DuckDB; an index.

Nothing is ever written: connections are opened for reading, each search is a few SELECTs with a limit, and a page is
what one of them returned, with the statement itself, which is all the source there is. Words are bound as parameters;
the names of tables and columns come from the database and are quoted by its own rules.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from research.core import Reach, SourceError, SourceField, SourceKind, SourceName, canonical_url, register
from research.language import Phrase
from research.meaning import USUAL_MODEL, EmbeddingFailed, ServerEmbedder
from research.settings import OPENAI_ADDRESS, azure_login
from research.sources.apis import Service, tried_twice
from research.sources.protocol import (
    FoundPage,
    Lack,
    Making,
    Provider,
    SearchRequest,
    always,
    clean_text,
    clean_title,
    published_date,
)
from research.text import expand, is_stop_word, tokens

if TYPE_CHECKING:
    import duckdb
    from sqlalchemy import Connection, Engine

_MOST_TABLES = 200
"""Tables that are looked at."""
_MOST_WORDS = 8
"""Words of a query that rows are looked for."""
_MOST_ROWS = 100
"""Rows that a statement returns."""
_LONGEST_CELL = 2_000
_SECONDS = 20.0
"""How long all statements of one search may take."""


@dataclass(frozen=True)
class Table:
    """A table or view."""

    name: str
    columns: tuple[str, ...]
    texts: tuple[str, ...]
    """Those of the columns that hold text."""


class Database(Protocol):
    """What can be asked for rows."""

    @property
    def place(self) -> str:
        """What is asked, as it may be shown: no password."""

    def tables(self) -> Sequence[Table]:
        """Return what there is."""

    def rows(self, table: Table, words: Sequence[str]) -> tuple[str, list[tuple[Any, ...]]]:
        """Return the statement that looks for words in the texts of a table, and its rows; without any, the first."""


@dataclass(frozen=True)
class TablesSource:
    """The tables of a database as a source."""

    name: SourceName
    database: Database

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return a page for each table with rows that hold words of the query, those with most of them first.

        A table whose name or columns are asked for, and none of whose rows hold a word, is shown with its first rows.

        Raises:
            SourceError: `search_unreachable`, `search_timeout` or `search_failed`.
        """
        try:
            async with asyncio.timeout(_SECONDS):
                return await asyncio.to_thread(self._pages, request)
        except TimeoutError as error:
            raise SourceError("search_timeout", f"{self.name}: no answer within {_SECONDS:g} s") from error

    def _pages(self, request: SearchRequest) -> list[FoundPage]:
        asked = list(dict.fromkeys(word for word in tokens(expand(request.query)) if not is_stop_word(word)))
        found: list[tuple[int, int, FoundPage]] = []
        for table in self.database.tables():
            named = set(asked).intersection(tokens(f"{table.name} {' '.join(table.columns)}".replace("_", " ")))
            sought = [word for word in asked if word not in named][:_MOST_WORDS]
            statement, rows = self.database.rows(table, sought) if sought and table.texts else ("", [])
            if not rows and named:
                statement, rows = self.database.rows(table, ())
            if rows:
                held = set(asked).intersection(tokens(" ".join(str(cell) for row in rows for cell in row)))
                found.append((len(held | named), len(rows), self._page(table, statement, rows)))
        best = sorted(found, key=lambda one: one[:2], reverse=True)
        return [page for _, _, page in best[: request.limit]]

    def _page(self, table: Table, statement: str, rows: Sequence[Sequence[Any]]) -> FoundPage:
        lines = [
            "; ".join(
                f"{name}: {_shown(cell)}" for name, cell in zip(table.columns, row, strict=True) if cell is not None
            )
            for row in rows
        ]
        digest = hashlib.sha256(statement.encode()).hexdigest()[:16]
        return FoundPage(
            url=f"sql://{self.name}/{quote(table.name)}?statement={digest}",
            title=clean_title(f"{table.name} ({self.database.place})"),
            site=self.database.place,
            origin=self.name,
            kind=SourceKind.DOCUMENT,
            text=clean_text("\n".join([*lines, "", statement])),
        )


def _shown(cell: object) -> str:
    text = f"{cell:.15g}" if isinstance(cell, float) else str(cell)
    return " ".join(text[:_LONGEST_CELL].split())


# --- databases with a server, and SQLite, by SQLAlchemy --------------------------------------------------------------

_READ_ONLY = dict.fromkeys(("postgresql", "mysql", "mariadb"), "SET TRANSACTION READ ONLY")
"""What makes the next transaction one that cannot write, by the dialect; SQLite is opened so."""


@dataclass
class SqlDatabase:
    """A database that SQLAlchemy knows, of which only tables of its usual schema are seen."""

    address: str
    _engine: Engine | None = None
    _tables: list[Table] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def place(self) -> str:
        """The name of the database; neither its host nor who asks."""
        from sqlalchemy import make_url

        return Path(make_url(self.address).database or "database").name

    def tables(self) -> Sequence[Table]:
        """Return tables and views, asked for once."""
        from sqlalchemy import inspect
        from sqlalchemy.types import String

        with self._lock, self._connected() as connection:
            if self._tables is None:
                seen = inspect(connection)
                names = [*seen.get_table_names(), *seen.get_view_names()][:_MOST_TABLES]
                columns = {name: seen.get_columns(name) for name in names}
                self._tables = [
                    Table(
                        name,
                        tuple(str(one["name"]) for one in own),
                        tuple(str(one["name"]) for one in own if isinstance(one["type"], String)),
                    )
                    for name, own in columns.items()
                    if own
                ]
        return self._tables

    def rows(self, table: Table, words: Sequence[str]) -> tuple[str, list[tuple[Any, ...]]]:
        """Return a statement and its rows; see `Database`."""
        from sqlalchemy import column, or_, select, table as named

        source = named(table.name, *map(column, table.columns))
        asked = select(source).limit(_MOST_ROWS)
        if words:
            texts = (source.c[text] for text in table.texts)
            asked = asked.where(or_(*(text.icontains(word, autoescape=True) for text in texts for word in words)))
        with self._connected() as connection:
            shown = asked.compile(connection, compile_kwargs={"literal_binds": True})
            return " ".join(str(shown).split()), [tuple(row) for row in connection.execute(asked)]

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        from sqlalchemy import create_engine, make_url, text
        from sqlalchemy.exc import SQLAlchemyError
        from sqlalchemy.pool import NullPool

        try:
            url = make_url(self.address)
            if self._engine is None:
                is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
                if is_file:
                    place = quote(str(Path(str(url.database)).absolute()))
                    url = url.set(database=f"file:{place}", query={"mode": "ro", "uri": "true"})
                self._engine = create_engine(url, poolclass=NullPool)
            with self._engine.connect() as connection:
                if (first := _READ_ONLY.get(url.get_backend_name())) is not None:
                    connection.execute(text(first))
                yield connection
                connection.rollback()
        except (SQLAlchemyError, ImportError, ValueError) as error:
            # The text of an error may hold the address and with it a password.
            raise SourceError("search_unreachable", f"{type(error).__name__}: the database cannot be read") from None


# --- files of tables, by DuckDB --------------------------------------------------------------------------------------

_READ_BY = {".csv": "read_csv", ".tsv": "read_csv", ".parquet": "read_parquet"}
_SHEETS = (".xlsx", ".xlsm")
_MOST_FILES = 200
_LARGEST = 500_000_000
"""Bytes of a file."""
_MEMORY = "1GB"


@dataclass
class FilesDatabase:
    """The files of tables in a folder. Their content is copied into memory; then nothing else can be reached."""

    folder: Path
    _database: duckdb.DuckDBPyConnection | None = None
    _tables: list[Table] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def place(self) -> str:
        """The name of the folder."""
        return self.folder.name

    def tables(self) -> Sequence[Table]:
        """Return a table for each file, and of a workbook for each sheet; they are read once."""
        with self._lock:
            if self._database is None:
                self._database = self._read()
        return self._tables

    def rows(self, table: Table, words: Sequence[str]) -> tuple[str, list[tuple[Any, ...]]]:
        """Return a statement and its rows; see `Database`."""
        import duckdb

        said = " OR ".join(f"contains(lower({_quoted(text)}), ?)" for text in table.texts for _ in words)
        bound = [word.lower() for _ in table.texts for word in words]
        asked = f"SELECT * FROM {_quoted(table.name)}{f' WHERE {said}' if said else ''} LIMIT {_MOST_ROWS}"  # noqa: S608
        assert self._database is not None
        try:
            with closing(self._database.cursor()) as cursor:
                rows = cursor.execute(asked, bound).fetchall()
        except duckdb.Error as error:
            raise SourceError("search_failed", f"{type(error).__name__}: the files cannot be asked") from error
        for word in bound:
            asked = asked.replace("?", "'" + word.replace("'", "''") + "'", 1)
        return asked, rows

    def _read(self) -> duckdb.DuckDBPyConnection:
        import duckdb

        database = duckdb.connect(
            ":memory:", config={"memory_limit": _MEMORY, "threads": 2, "autoinstall_known_extensions": False}
        )
        for path in self._files():
            kind = path.suffix.lower()
            name = str(path.relative_to(self.folder))
            try:
                if kind in _READ_BY:
                    made = f"CREATE TABLE {_quoted(name)} AS SELECT * FROM {_READ_BY[kind]}(?)"  # noqa: S608
                    database.execute(made, [str(path)])
                    self._enter(database, name)
                elif kind in _SHEETS:
                    for sheet, frame in _frames(path):
                        database.register("sheet", frame)
                        database.execute(f"CREATE TABLE {_quoted(f'{name} {sheet}')} AS FROM sheet")
                        database.unregister("sheet")
                        self._enter(database, f"{name} {sheet}")
            except (duckdb.Error, ValueError, OSError, KeyError):
                continue  # A file that is no table costs only itself.
        database.execute("SET enable_external_access = false")
        database.execute("SET lock_configuration = true")
        return database

    def _files(self) -> list[Path]:
        kinds = (*_READ_BY, *_SHEETS)
        there = (
            path for path in sorted(self.folder.rglob("*")) if path.suffix.lower() in kinds and not path.is_symlink()
        )
        return [path for path in there if path.is_file() and path.stat().st_size <= _LARGEST][:_MOST_FILES]

    def _enter(self, database: duckdb.DuckDBPyConnection, name: str) -> None:
        described = database.execute(f"DESCRIBE {_quoted(name)}").fetchall()
        texts = tuple(row[0] for row in described if row[1] == "VARCHAR")
        self._tables.append(Table(name, tuple(row[0] for row in described), texts))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _frames(path: Path) -> Iterator[tuple[str, Any]]:
    import pandas as pd

    for sheet, frame in pd.read_excel(path, sheet_name=None, nrows=1_000_000).items():
        if not frame.empty:
            yield str(sheet), frame.rename(columns=str)


# --- Azure AI Search: https://learn.microsoft.com/rest/api/searchservice/documents/search-post -----------------------

_VERSION = "2024-07-01"
"""The first stable version of the interface in which the service itself can turn a query into a vector."""
_NEIGHBOURS = 50
"""Nearest documents that are fused with those found by words, as the service's makers advise."""
KEYWORD, VECTOR, HYBRID = "keyword", "vector", "hybrid"


@dataclass(frozen=True)
class AzureSearchSource:
    """An index as a source; what stands in several chunks of one document becomes one page."""

    name: SourceName
    service: Service
    embedder: ServerEmbedder | None = None
    """Makes the vector of a query by the model that made those of the index; without it, the service does."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return documents for one query, best first; an empty list if there are none.

        Raises:
            SourceError: the search failed.
        """
        values = self.service.values
        path = f"/indexes/{quote(values['index'], safe='')}/docs/search?api-version={_VERSION}"
        body, service = await self._body(request), await self._opened()
        answer = await tried_twice(lambda: service.post(path, body))
        try:
            return self._pages(answer["value"], request)
        except (KeyError, TypeError, AttributeError) as error:
            raise SourceError("search_failed", "the answer has not the expected form") from error

    async def _opened(self) -> Service:
        """Return the service, which tells no secret of ours on, with what opens it: a key, else a login."""
        if self.service.secret:
            return replace(self.service, headers={"api-key": self.service.secret})
        try:
            token = await azure_login.token_for(azure_login.SEARCH, self.service.address)()
        except azure_login.LoginFailed as error:
            raise SourceError("search_unauthorized", str(error)) from error
        return replace(self.service, secret=token, headers={"Authorization": f"Bearer {token}"})

    async def _body(self, request: SearchRequest) -> dict[str, Any]:
        values = self.service.values
        named = ("id_field", "title_field", "text_field", "url_field", "date_field")
        body: dict[str, Any] = {
            "select": ",".join(dict.fromkeys(values[name] for name in named if values[name])),
            "top": request.limit * 3,
        }
        is_vector = bool(values["vector_field"]) and values["mode"] != KEYWORD
        if not is_vector or values["mode"] != VECTOR:
            body |= {"search": request.query, "queryType": "simple", "searchMode": "any"}
        if is_vector:
            same = {"fields": values["vector_field"], "k": _NEIGHBOURS}
            body["vectorQueries"] = [await self._vector(request.query) | same]
        return body

    async def _vector(self, query: str) -> dict[str, Any]:
        if self.embedder is None:
            return {"kind": "text", "text": query}
        try:
            rows = await asyncio.to_thread(self.embedder.embed, [query], is_query=True, told=lambda call: None)
        except EmbeddingFailed as error:
            raise SourceError("search_failed", f"the query could not be embedded: {error.code}") from error
        return {"kind": "vector", "vector": [float(value) for value in rows[0]]}

    def _pages(self, found: Sequence[Mapping[str, Any]], request: SearchRequest) -> list[FoundPage]:
        chunks: dict[str, list[Mapping[str, Any]]] = {}
        for one in found:
            chunks.setdefault(self._address(one), []).append(one)
        pages = (self._page(address, parts) for address, parts in chunks.items())
        return [page for page in pages if page.text.strip()][: request.limit]

    def _page(self, address: str, parts: Sequence[Mapping[str, Any]]) -> FoundPage:
        first = parts[0]
        return FoundPage(
            url=address,
            title=clean_title(self._said(first, "title_field")) or self.service.values["index"],
            site=self.service.values["index"],
            origin=self.name,
            kind=SourceKind.DOCUMENT,
            text=clean_text("\n\n".join(self._said(part, "text_field") for part in parts)),
            published=published_date(self._said(first, "date_field")),
            score=float(first.get("@search.score") or 0.0),
        )

    def _address(self, one: Mapping[str, Any]) -> str:
        """Return where a document stands: its own address, else its name within the index."""
        own = canonical_url(self._said(one, "url_field"))
        name = self._said(one, "url_field") or self._said(one, "id_field") or self._said(one, "title_field")
        return own or f"azure-search://{quote(self.service.values['index'], safe='')}/{quote(name, safe='/')}"

    def _said(self, one: Mapping[str, Any], field: str) -> str:
        value = one.get(self.service.values[field])
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")


# --- how they are offered --------------------------------------------------------------------------------------------


def _azure(making: Making) -> AzureSearchSource:
    values, settings = making.values(AZURE), making.settings
    address, key = settings.embedding_access
    embedder = None
    if address or key:
        embedder = ServerEmbedder(address or OPENAI_ADDRESS, settings.embedding_model or USUAL_MODEL, key)
    service = Service(values["endpoint"].rstrip("/"), values, values["key"], gap=0.0)
    return AzureSearchSource(SourceName("azure-search"), service, embedder)


def _azure_lacks(making: Making) -> Lack | None:
    if making.values(AZURE)["key"] or azure_login.is_there():
        return None
    return Lack(Phrase("needs a key"), azure_login.NO_KEY.filled(label=AZURE.label, variable="AZURE_SEARCH_KEY"))


AZURE: Provider = Provider(
    name="azure-search",
    label=Phrase("Azure AI Search"),
    words=Phrase("the house's index in Azure AI Search"),
    reach=Reach.CONNECTED,
    kind=SourceKind.DOCUMENT,
    fields=(
        SourceField("endpoint", Phrase("Address of the search service"), is_place=True, is_needed=True),
        SourceField("index", Phrase("Name of the index"), is_place=True, is_needed=True),
        SourceField("key", Phrase("Key", "of a service"), is_secret=True, hint=azure_login.WITHOUT_KEY),
        SourceField("text_field", Phrase("Field with the text"), default="content"),
        SourceField("title_field", Phrase("Field with the title"), default="title"),
        SourceField("id_field", Phrase("Field with the key of a document"), default="id"),
        SourceField("url_field", Phrase("Field with the address of a document")),
        SourceField("date_field", Phrase("Field with the date")),
        SourceField(
            "vector_field",
            Phrase("Field with the vectors"),
            hint=Phrase(
                "With it, meaning is compared as well. The query becomes a vector by the server of embeddings, where "
                "one is set (its model must be that of the index), else by the search service itself."
            ),
        ),
        SourceField("mode", Phrase("Manner: keyword, vector or hybrid"), default=HYBRID),
    ),
    hint=Phrase("An index of your house. What it tells stays private."),
    module="httpx",
    extra="web",
    make=_azure,
    lack=_azure_lacks,
    by_default=always,
)


SQL: Provider = Provider(
    name="sql",
    label=Phrase("Database (SQL)"),
    words=Phrase("the database"),
    reach=Reach.CONNECTED,
    kind=SourceKind.DOCUMENT,
    fields=(
        SourceField(
            "address",
            Phrase("Address of the database"),
            is_secret=True,
            is_place=True,
            is_needed=True,
            hint=Phrase("As SQLAlchemy writes it: postgresql+psycopg://reader:password@host/name, sqlite:///path."),
        ),
    ),
    hint=Phrase(
        "Tables in which the words of a question stand; nothing is written. Give it an account that only reads."
    ),
    module="sqlalchemy",
    extra="sql",
    make=lambda making: TablesSource(SourceName("sql"), SqlDatabase(making.values(SQL)["address"])),
    by_default=always,
)


def _files(making: Making) -> TablesSource:
    return TablesSource(SourceName("tables"), FilesDatabase(Path(making.values(TABLES)["folder"]).expanduser()))


TABLES: Provider = Provider(
    name="tables",
    label=Phrase("Files of tables (CSV, Parquet, Excel)"),
    words=Phrase("files of tables"),
    reach=Reach.OWN,
    kind=SourceKind.DOCUMENT,
    fields=(SourceField("folder", Phrase("Folder with the files"), is_place=True, is_needed=True),),
    hint=Phrase("Rows of large files, looked for by DuckDB on this computer."),
    module="duckdb",
    extra="sql",
    make=_files,
    by_default=always,
)

register(AZURE, SQL, TABLES)
