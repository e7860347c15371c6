"""Files of strangers: what readers make of their bytes, in passages and words.

It is all that the process imports which reads them (`worker`), so it rests on little."""

from research.documents.document import (
    MAX_CHARACTERS as MAX_CHARACTERS,
    PAGE_BREAK as PAGE_BREAK,
    Document as Document,
    UnreadableFile as UnreadableFile,
    decode as decode,
    display_name as display_name,
    iso_date as iso_date,
)
from research.documents.passages import (
    cut as cut,
    is_single as is_single,
    query_weights as query_weights,
    tokenise as tokenise,
)
from research.documents.readers import MAX_BYTES as MAX_BYTES, load as load, read as read
