"""Folders of documents: read, indexed, searched."""

from research.documents import MAX_BYTES, Document, UnreadableFile, display_name, load, read
from research.library.apart import ReadingStopped, Stop, in_own_thread, read_apart
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

__all__ = [
    "MAX_BYTES",
    "Document",
    "Hit",
    "Library",
    "LibraryState",
    "ReadingStopped",
    "Skipped",
    "Stop",
    "UnreadableFile",
    "display_name",
    "forget",
    "in_own_thread",
    "indexed_folders",
    "library_state",
    "load",
    "place_url",
    "read",
    "read_apart",
]
