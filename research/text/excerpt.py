"""The part of a long page that a summary gets to see."""

from __future__ import annotations

from collections.abc import Sequence

from research.text.words import content_words, tokens

_PIECE = 1_200
_GAP = "\n…\n"


def excerpt(text: str, passages: Sequence[tuple[int, int]], question: str, limit: int) -> str:
    """Return `text` if it has at most `limit` characters, else its beginning and the pieces nearest to `question`.

    Pieces stand in the order of the page, with an ellipsis between them. `passages` (offsets that a search found to
    match) are preferred.
    """
    if len(text) <= limit:
        return text
    pieces = _pieces(text)
    wanted = set(tokens(" ".join(content_words(question))))
    matched = {index for index, (start, end) in enumerate(pieces) if _touches(start, end, passages)}

    def nearness(index: int) -> tuple[bool, bool, int, int]:
        start, end = pieces[index]
        return index == 0, index in matched, len(wanted.intersection(tokens(text[start:end]))), -index

    chosen: list[int] = []
    length = 0
    for index in sorted(range(len(pieces)), key=nearness, reverse=True):
        start, end = pieces[index]
        length += end - start + len(_GAP)
        if length > limit:
            break
        chosen.append(index)
    return _joined(text, pieces, sorted(chosen))


def _pieces(text: str) -> list[tuple[int, int]]:
    """Cut `text` near paragraph or line ends into pieces of about `_PIECE` characters."""
    pieces = []
    start = 0
    while start < len(text):
        end = min(start + _PIECE, len(text))
        if end < len(text):
            newline = text.rfind("\n", start + _PIECE // 2, end)
            end = newline + 1 if newline > 0 else end
        pieces.append((start, end))
        start = end
    return pieces


def _touches(start: int, end: int, passages: Sequence[tuple[int, int]]) -> bool:
    return any(first < end and start < last for first, last in passages)


def _joined(text: str, pieces: Sequence[tuple[int, int]], chosen: Sequence[int]) -> str:
    parts: list[str] = []
    for position, index in enumerate(chosen):
        if position and chosen[position - 1] != index - 1:
            parts.append(_GAP)
        parts.append(text[slice(*pieces[index])])
    return "".join(parts)
