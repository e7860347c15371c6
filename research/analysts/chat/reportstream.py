"""The report as it streams in, without what models put around it (thoughts, a code fence) and without end."""

from __future__ import annotations

import re
from collections import Counter

_THOUGHT_BEGINS, _THOUGHT_ENDS = "<think>", "</think>"
_FENCE_BEGINS = re.compile(r"```(?:markdown|md)?[ \t]*\n", re.IGNORECASE)
_FENCE_ENDS = re.compile(r"\n```\s*\Z")
_LONGEST_OPENING = len("```markdown \n")
_LONGEST_ENDING = 16
_TELLING = 24
"""Characters from which a line is not written again by chance. Rows of tables do not count."""
_TOO_OFTEN = 4


class ReportStream:
    """Takes pieces as they come and gives out text that belongs to the report.

    Args:
        longest: Characters from which a report is taken to be one that never ends.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._length = 0
        self._line = ""
        self._lines: Counter[str] = Counter()
        self._held = ""
        self._begun = False
        self._fenced = False

    def feed(self, piece: str) -> str:
        """Take a piece; return what is known to belong to the report by now, possibly nothing."""
        self._held += piece
        if not self._begun and not self._begins():
            return ""
        if not self._fenced:
            return self._take(len(self._held))
        return self._take(max(0, len(self._held) - _LONGEST_ENDING))

    @property
    def is_endless(self) -> bool:
        """Whether the model repeats itself or writes without end, as weak ones do."""
        return self._length > self._longest or (self._lines.total() > 0 and max(self._lines.values()) >= _TOO_OFTEN)

    def end(self) -> str:
        """Return what was held back, now that nothing follows."""
        if not self._begun and (_THOUGHT_BEGINS in self._held or not self._held.strip()):
            return ""
        return _FENCE_ENDS.sub("\n", self._held) if self._fenced else self._take(len(self._held))

    def _begins(self) -> bool:
        """Look for the report's first letter, and drop what stands before it."""
        text = self._held.lstrip()
        if text.startswith(_THOUGHT_BEGINS):
            _, ended, text = text.partition(_THOUGHT_ENDS)
            if not ended:
                return False
            self._held = text = text.lstrip()
        fence = _FENCE_BEGINS.match(text)
        may_grow = len(text) < _LONGEST_OPENING and (
            _THOUGHT_BEGINS.startswith(text) or (text.startswith("`") and not fence)
        )
        if not text or may_grow:
            return False
        self._fenced = fence is not None
        self._held = text[fence.end() :] if fence else text
        self._begun = True
        return True

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        self._length += len(taken)
        *lines, self._line = (self._line + taken).split("\n")
        self._lines.update(line for line in lines if len(line) >= _TELLING and not line.startswith("|"))
        return taken
