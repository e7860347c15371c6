"""What stands for Streamlit's own words: complete, and with the same holes for numbers and names."""

from __future__ import annotations

import re

import pytest

from pages.parts.native_words import words
from pages.parts.ui import Ui
from research.language import Language

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
_OURS = {"streamlit run yourscript.py"}


@pytest.mark.parametrize("ui", [EN, JA], ids=str)
def test_what_stands_for_a_text_has_no_hole_that_the_text_does_not_fill(ui: Ui) -> None:
    for text, said in words(ui).items():
        holes = iter(re.findall(r"[#*]", text))
        assert all(hole in holes for hole in re.findall(r"[#*]", said)), text


def test_all_of_it_is_said_in_japanese() -> None:
    foreign = {text for text, said in words(JA).items() if not re.search(r"[ぁ-ヿ一-鿿]", said)}
    assert foreign == _OURS
