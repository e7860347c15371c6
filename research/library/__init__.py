"""The user's own documents: a folder, indexed on disk and searched without a network."""

from research.library.library import Hit, IndexReport, Library, Skipped, place_url
from research.library.readers import display_name

__all__ = ["Hit", "IndexReport", "Library", "Skipped", "display_name", "place_url"]
