"""Files of strangers: what readers make of their bytes, in passages and words.

It is all that the process imports which reads them (`worker`), so it rests on little."""

from research.documents.document import MAX_CHARACTERS as MAX_CHARACTERS
from research.documents.document import PAGE_BREAK as PAGE_BREAK
from research.documents.document import Document as Document
from research.documents.document import UnreadableFile as UnreadableFile
from research.documents.document import decode as decode
from research.documents.document import display_name as display_name
from research.documents.document import iso_date as iso_date
from research.documents.passages import cut as cut
from research.documents.passages import is_single as is_single
from research.documents.passages import query_weights as query_weights
from research.documents.readers import MAX_BYTES as MAX_BYTES
from research.documents.readers import load as load
from research.documents.readers import read as read
