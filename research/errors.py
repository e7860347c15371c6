"""What can go wrong, as a tree.

ResearchError
├── UsageError           the caller asked for something that does not exist
├── SourceError          a search failed
├── ModelError           a model call failed
│   ├── ModelRefused       wrong key, no access, unknown model: trying again is no use
│   ├── ContextOverflow    the prompt does not fit the model's window
│   ├── CapReached         the cap that the user set leaves no room for the call
│   └── UnusableAnswer     the model answered, but not with what was asked for
└── StoreError           the run store cannot be read or written
"""

from __future__ import annotations


class ResearchError(Exception):
    """Base of every error that this package raises on purpose."""


class UsageError(ResearchError):
    """The caller asked for something that does not exist (a value, a folder, a run)."""


class SourceError(ResearchError):
    """A search failed; the run goes on without it.

    `code` names the reason (a key of `research.problems`), `detail` is for the log.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail


class ModelError(ResearchError):
    """A model call failed after the retries that its client makes."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail


class ModelRefused(ModelError):
    """The provider refuses the caller (key, access, unknown model); trying again is no use."""


class ContextOverflow(ModelError):
    """The prompt does not fit the model's window."""


class CapReached(ModelError):
    """The cap that the user set for a run leaves no room for the call, or ended it."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("cap_reached", detail)


class UnusableAnswer(ModelError):
    """The model answered, but not with what was asked for."""


class StoreError(ResearchError):
    """The run store, or another file of the home folder, cannot be read or written.

    `code` names the reason (a key of `research.problems`): locked, full disk, permissions, damaged, newer version.
    """

    def __init__(self, detail: str = "", code: str = "store_failed") -> None:
        super().__init__(detail)
        self.code = code
