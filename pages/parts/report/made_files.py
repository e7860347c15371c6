"""Files that are made when their button is pressed, and stay until the browser has fetched them.

The framework forgets a file that was made after any two runs of any page, whoever's: with several people at work that
is less than a second, and a browser that asks later gets nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from streamlit import runtime

_HELD = 32
"""The latest so many files of all sessions stay."""
_made = count()


@dataclass(frozen=True)
class MadeFile:
    """The `data` of a download button whose `file_name` is `name` and whose `mime` is the same."""

    make: Callable[[], bytes]
    name: str
    mime: str

    def __call__(self) -> bytes:
        """Return the file, made now; raises what making it raises."""
        data = self.make()
        # Outside a page's run a file belongs to no session, so no run takes it away; the next under its place does.
        runtime.get_instance().media_file_mgr.add(
            data, self.mime, f"made file {next(_made) % _HELD}", file_name=self.name, is_for_static_download=True
        )
        return data
