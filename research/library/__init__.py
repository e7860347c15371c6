"""Folders of documents: read, indexed, searched."""

from research.documents import (
    MAX_BYTES as MAX_BYTES,
    Document as Document,
    UnreadableFile as UnreadableFile,
    display_name as display_name,
    load as load,
    read as read,
)
from research.library.apart import (
    Stop as Stop,
    in_own_thread as in_own_thread,
    read_apart as read_apart,
    recogniser as recogniser,
)
from research.library.folders import (
    LibraryState as LibraryState,
    Skipped as Skipped,
    forget as forget,
    indexed_folders as indexed_folders,
    library_state as library_state,
    take_over as take_over,
)
from research.library.index import index_file as index_file, is_current as is_current
from research.library.library import (
    Hit as Hit,
    IndexReport as IndexReport,
    Library as Library,
    place_url as place_url,
)
