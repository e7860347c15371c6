"""Any text at all: figures never fail, and offsets are exact. How long they take is tried in `tests/attacks/`."""

import random
from itertools import pairwise

import pytest

from research.quantities import figures, periods
from tests.support.strings import strings

PIECES = [
    *"0123456789.,-+%$€¥()[]{}|:/'\"~〜–—△▲ \n\t\u00a0\u200b\ufeff\u3000\ud800\x00#*_§@",
    *"一二三十百千万億兆年月日人社円割分期第約の、。（）％１２３😀️⃣²½٣",
    "2024", "FY", "Q3", "March", "令和", "年度", "million", "bn", " to ", "per", "sq", "km", "US$", "https://", "two",
    "twenty-",
]  # fmt: skip


def test_what_goes_on_without_end_is_read() -> None:
    for text in strings(1_000).values():
        assert all(text[figure.start : figure.end] == figure.text for figure in figures(text))
    assert all(figures("1 " * 4_000 + end) for end in ("2024", ";", "(2024)", "%", "|"))


@pytest.mark.parametrize("seed", range(15))
def test_any_text_is_read(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(20):
        text = "".join(chance.choices(PIECES, k=chance.randint(0, 60)))
        found = figures(text)
        assert all(text[f.start : f.end] == f.text and f.text for f in found), text
        assert all(one.end <= other.start for one, other in pairwise(found)), text
        assert all(f.tolerance > 0 and f.scale > 0 and f.agrees(f) for f in found), text
        assert all(0 <= p.start < p.end <= len(text) for p in periods(text)), text


@pytest.mark.parametrize("seed", range(5))
def test_printed_numbers_are_read_back(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(50):
        value = round(chance.uniform(0, 10 ** chance.randint(1, 9)), chance.randint(0, 3))
        unit, name = chance.choice([("%", "%"), (" km", "km"), ("人", "people"), ("トン", "t"), (" people", "people")])
        for printed in (f"{value:,}{unit}", f"{value}{unit}"):
            (figure,) = figures(f"It was {printed}.")
            assert (figure.value, figure.unit, figure.text) == (value, name, printed)


def test_every_figure_of_a_long_page_is_read() -> None:
    page = "In 2024 the company sold 1,234 cars for $5.6 million, up 12% from 2023. 売上高は1兆2,345億円。" * 220
    assert len(figures(page)) == 4 * 220
