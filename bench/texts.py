"""The catalogue of texts, brought up to date with the code: `make texts`.

Entries stand in the order in which the code says them, file by file, and name no place, so that moving code changes
nothing but their order. What the code says no more goes; what has no Japanese yet is listed, and ends with status 1.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "research/language/ja.po"
_TEXT = {1: (1,), 2: ((2, "c"), 1)}
KEYWORDS: Any = {"Phrase": _TEXT, "_": _TEXT, "n_": (1, 2)}
"""The calls that say a text, as Babel knows them: the text, and behind it what tells it apart."""
_HEADER = r"""# The Japanese of every text of the program; the English is the source and stands in the code.
# `make texts` brings the entries up to date and says which lack their Japanese.
msgid ""
msgstr ""
"Project-Id-Version: Research workbench\n"
"Language: ja\n"
"Plural-Forms: nplurals=1; plural=0;\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""


def sources() -> list[Path]:
    """Return the files of the program, in the order in which the catalogue follows them."""
    return [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "research").rglob("*.py"))]


def said(paths: Iterable[Path] | None = None) -> Catalog:
    """Return every text that the code says, still without Japanese."""
    found = Catalog(locale="ja")
    for path in sources() if paths is None else paths:
        for _, message, _, context in extract_from_file("python", path, keywords=KEYWORDS):
            found.add(message, context=context)
    return found


def kept() -> Catalog:
    """Return the catalogue as it stands."""
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="ja")


def entries(catalogue: Catalog) -> list[Message]:
    """Return the entries of a catalogue without its header."""
    return [message for message in catalogue if message.id]


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the forms of a text: for one and for many where it has a plural."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def refreshed(said: Catalog, kept: Catalog) -> Catalog:
    """Return what is said, with the Japanese that is kept for it."""
    for message in entries(said):
        known = kept.get(forms(message.id)[0], message.context)
        japanese = forms(known.string if known else "")[0]
        message.string = (japanese,) if message.pluralizable else japanese
        message.flags.clear()
    return said


def lacking(catalogue: Catalog) -> list[str]:
    """Return the English of the entries without Japanese."""
    return [forms(message.id)[0] for message in entries(catalogue) if not all(forms(message.string))]


def written(catalogue: Catalog) -> str:
    """Return the file of a catalogue: each text on a line of its own, without places, dates or flags."""
    body = io.BytesIO()
    write_po(body, catalogue, width=0, omit_header=True, no_location=True, ignore_obsolete=True)
    return _HEADER + body.getvalue().decode().strip("\n") + "\n"


def main() -> int:
    """Refresh the catalogue and report."""
    catalogue = refreshed(said(), kept())
    CATALOGUE.write_text(written(catalogue), encoding="utf-8")
    missing = lacking(catalogue)
    print(f"{len(catalogue)} texts in {CATALOGUE.relative_to(ROOT)}, {len(missing)} of them without Japanese")
    print(*(f"  {english}" for english in missing), sep="\n", end="\n" if missing else "")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
