"""What the command line shows."""

from research.terminal.arguments import agreed as agreed
from research.terminal.arguments import brief_of as brief_of
from research.terminal.arguments import language_of as language_of
from research.terminal.arguments import parser as parser
