"""Files of strangers: what readers make of their bytes, in passages and words.

It is all that the process imports which reads them (`worker`), so it rests on little."""

# fmt: off
from research.documents.document import (
    MAX_CHARACTERS, PAGE_BREAK, Document, UnreadableFile, cut, decode, display_name, is_single, iso_date, query_weights,
    tokenise,
)
from research.documents.readers import MAX_BYTES, load, read, read_rows
