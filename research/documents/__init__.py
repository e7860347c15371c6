"""Files of strangers: what readers make of their bytes, in passages and words.

It is all that the process imports which reads them (`worker`), so it rests on little."""

# fmt: off
from research.documents.document import (
    MAX_CHARACTERS, PAGE_BREAK, Document, UnreadableFile, decode, display_name, iso_date,
)
from research.documents.passages import cut, is_single, query_weights, tokenise
from research.documents.pictures import SECONDS as RECOGNISING_SECONDS, engine, numbers
from research.documents.readers import MAX_BYTES, load, read, read_rows
