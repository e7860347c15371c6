"""What a call costs."""

import pytest

from research.core import PRESETS, price_usd


@pytest.mark.parametrize("model", sorted({model for preset in PRESETS.values() for model in preset.models.values()}))
def test_every_model_of_a_preset_has_a_price(model: str) -> None:
    price = price_usd(model, 1_000, 1_000)
    assert price is not None and 0 < price < 1


def test_output_costs_more_than_input_and_kept_input_less() -> None:
    both = [
        price_usd("gpt-5.4", 1_000, 0),
        price_usd("gpt-5.4", 0, 1_000),
        price_usd("gpt-5.4", 1_000, 0, cached_tokens=900),
    ]
    given, written, kept = (price or 0.0 for price in both)
    assert 0 < kept < given < written


def test_an_unknown_model_has_no_price() -> None:
    assert price_usd("qwen2.5-coder-0.5b-instruct", 1_000, 1_000) is None


def test_an_unknown_provider_has_no_price() -> None:
    assert price_usd("gpt-5.4", 1_000, 1_000, provider="nobody") is None


def test_another_providers_list_is_used_for_its_models() -> None:
    assert price_usd("claude-sonnet-4-5", 1_000, 1_000, provider="anthropic") is not None
