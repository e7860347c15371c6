"""Templates that are XML files of the program, put together as an Office file in memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from importlib import resources

_SAME_DAY = (2026, 1, 1, 0, 0, 0)


def resource(package: str, name: str) -> bytes:
    """Return a file that comes with a package of the program."""
    return resources.files(package).joinpath(name).read_bytes()


def theme() -> bytes:
    """Return the theme of colours and fonts that all Office files have."""
    return resource("research.export.office", "theme.xml")


def packed(parts: Mapping[str, bytes]) -> io.BytesIO:
    """Return parts by their names as one file, which starts at its beginning."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _SAME_DAY), data)
    file.seek(0)
    return file
