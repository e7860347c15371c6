"""What the command line shows."""

from research.terminal.arguments import brief_of, language_of, parser

__all__ = [
    "brief_of",
    "language_of",
    "parser",
]
