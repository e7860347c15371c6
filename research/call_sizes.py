"""How large model calls usually are, in tokens: what estimates and caps go by before a call is made."""

from __future__ import annotations

from research.brief import Brief
from research.length import PAGES, length_of
from research.presets import Role

PAGE_TOKENS = 900
"""Tokens of a page of a report, in either language, with its citations."""
REPORT_PROMPT = 2_500
"""Tokens that the prompt of a report has besides its evidence."""
ANSWER_TOKENS = {
    Role.PLANNING: 1_500,
    Role.RESEARCH: 700,
    Role.SUMMARIZATION: 700,
    Role.COMPRESSION: 900,
    Role.FINAL_REPORT: 1_500,
}
"""Tokens that an answer may well have; that of the last role when it mends a report or answers a question."""
OBSERVED_TOKENS = 12_000
"""Tokens of what was observed so far that a decision is shown at most."""
_ASCII_PER_TOKEN = 4
_QUOTE_OVERHEAD = 40


def tokens_in(text: str) -> int:
    """Return about how many tokens a text has, rather more than fewer: a sign of Japanese counts as one."""
    wide = sum(not letter.isascii() for letter in text)
    return wide + -(-(len(text) - wide) // _ASCII_PER_TOKEN)


def quote_tokens(quote: str) -> int:
    """Return the tokens that a quote takes in the prompt of a report, with its id and source."""
    return tokens_in(quote) + _QUOTE_OVERHEAD


def report_tokens(brief: Brief) -> int:
    """Return the tokens of a report as long as it may be."""
    return PAGES[length_of(brief)].most * PAGE_TOKENS
