"""What is shown of a draft that is still being written."""

import pytest

from pages.parts.report.text import readable


@pytest.mark.parametrize(
    ("draft", "shown"),
    [
        ("Prices rose [E1", "Prices rose"),
        ("Prices rose [E1]", "Prices rose [E1]"),
        ("Text.\n\n| Year | Pri", "Text.\n\n"),
        ("Text.\n\n| Year | Price |\n|---|", "Text.\n\n"),
        ("| Year | Price |\n|---|---|", "| Year | Price |\n|---|---|"),
        ("| Year | Price |\n|---|---|\n| 2025 | 1", "| Year | Price |\n|---|---|\n| 2025 | 1"),
        ("| a |\n|---|\n| b |\n\nText | more", "| a |\n|---|\n| b |\n\nText | more"),
        ("", ""),
    ],
)
def test_what_cannot_be_read_yet_waits(draft: str, shown: str) -> None:
    assert readable(draft) == shown
