"""What the command line shows."""

from research.terminal.arguments import (
    agreed as agreed,
    brief_of as brief_of,
    language_of as language_of,
    parser as parser,
)
