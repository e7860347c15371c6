"""The prompts: one file each, versioned by their content."""

import hashlib

import pytest

from research import prompts

WITHOUT_DATE = {
    "summarise",  # The date would make every day's summary of the same page another one.
    "answer_in_json", "answer_again", "actions_in_json", "actions_again",  # Added to prompts that have it.
    "connected_servers", "asked", "computed",  # So are these.
    "write_plain", "write_fact_strict", "write_insight", "write_now", "write_free", "write_outline",
    "write_length", "write_shorter", "write_longer", "write_section_now", "ask_tables",
}  # fmt: skip


def test_a_prompt_is_versioned_by_its_text() -> None:
    prompt = prompts.load("summarise")
    assert prompt.hash == hashlib.sha256(prompt.text.encode()).hexdigest()
    assert len({prompts.load(name).hash for name in prompts.names()}) == len(prompts.names())


@pytest.mark.parametrize("name", prompts.names())
def test_todays_date_is_in_every_prompt_but_those_that_must_not_have_it(name: str) -> None:
    assert ("today" in prompts.load(name).places) == (name not in WITHOUT_DATE)


def test_what_is_filled_in_is_not_filled_in_again() -> None:
    assert "$example" in prompts.load("write_now").fill(language="$example", example="E1")


def test_a_forgotten_place_and_a_value_without_place_are_errors() -> None:
    with pytest.raises(KeyError, match="example"):
        prompts.load("write_now").fill(language="English")
    with pytest.raises(KeyError, match="tone"):
        prompts.load("write_now").fill(language="English", example="E1", tone="plain")


def test_an_unknown_prompt_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        prompts.load("nothing")
