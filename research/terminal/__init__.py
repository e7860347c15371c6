"""What the command line shows."""

from research.terminal.arguments import agreed, brief_of, language_of, parser

__all__ = [
    "agreed",
    "brief_of",
    "language_of",
    "parser",
]
