"""Folders of documents: read, indexed, searched."""

from research.library.library import (
    Hit,
    Library,
    LibraryState,
    Skipped,
    forget,
    indexed_folders,
    library_state,
    place_url,
)
from research.library.readers import MAX_BYTES, Document, UnreadableFile, display_name, load, read

__all__ = [
    "MAX_BYTES",
    "Document",
    "Hit",
    "Library",
    "LibraryState",
    "Skipped",
    "UnreadableFile",
    "display_name",
    "forget",
    "indexed_folders",
    "library_state",
    "load",
    "place_url",
    "read",
]
