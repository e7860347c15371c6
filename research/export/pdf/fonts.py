"""The typefaces of a document: from packages alone, never from the machine, so that it looks the same everywhere."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from research.core.errors import UsageError
from research.language import Bilingual, Language

if TYPE_CHECKING:
    import typst


_PACKAGES = (
    "fontpkg_source_sans_3",  # Latin, Greek, Cyrillic, with italics; the Latin that the next two were drawn with
    "noto_cjk_sans_jp_regular",  # Japanese, Korean, Chinese
    "noto_cjk_sans_jp_bold",
    "manimgx_fonts",  # Arabic, Hebrew, Thai, the scripts of India …, symbols and emoji
)
_MISSING = Bilingual(
    "PDF files need typst and its typefaces: pip install 'research-workbench[documents]'.",
    "PDF の作成には typst とフォントが必要です：pip install 'research-workbench[documents]'",
)


def typefaces(language: Language) -> typst.Fonts:
    """Return the typefaces, read once in a process.

    Raises:
        UsageError: the extra `documents` is not installed; said in `language`.
    """
    if not all(find_spec(package) for package in ("typst", *_PACKAGES)):
        raise UsageError(_MISSING.in_(language))
    return _read()


def families_of_other_scripts(fonts: typst.Fonts) -> list[str]:
    """Return the families to look for a sign in that is neither Latin nor Chinese, Japanese or Korean."""
    return [family for family in fonts.families() if family.startswith("Noto") and "CJK" not in family]


@cache
def _read() -> typst.Fonts:
    import typst

    folders = [folder for package in _PACKAGES for folder in _folders(package)]
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=folders)


def _folders(package: str) -> list[str]:
    spec = find_spec(package)
    return list(spec.submodule_search_locations or []) if spec else []
