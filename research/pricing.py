"""What a model call costs, from the price list that ships with genai-prices; nothing is fetched."""

from __future__ import annotations

from research.presets import PRESETS

_UNLISTED_INPUT, _UNLISTED_OUTPUT = 5.0, 20.0
"""US dollars for a million tokens, where not even a price list is installed."""


def price_usd(
    model: str, input_tokens: int, output_tokens: int, *, cached_tokens: int = 0, provider: str = "openai"
) -> float | None:
    """Return the list price of one call in US dollars, or None if the model's price is not known.

    Args:
        model: The name as it is sent to the provider (`gpt-5.4`).
        input_tokens: All tokens of the prompt, `cached_tokens` included.
        output_tokens: All tokens of the answer, hidden reasoning included.
        cached_tokens: Tokens of the prompt that the provider had kept and charges less for.
        provider: The company whose price list counts.
    """
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens, cache_read_tokens=cached_tokens)
    try:
        return float(calc_price(usage, model, provider_id=provider).total_price)
    except LookupError:
        return None


def price_of(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """Return the list price of a call to a model as settings name it (`gpt-5.4`, `anthropic:claude-…`), if known."""
    provider, colon, name = model.partition(":")
    if colon and (price := price_usd(name, input_tokens, output_tokens, provider=provider)) is not None:
        return price
    return price_usd(model, input_tokens, output_tokens)


def assumed_price(input_tokens: int, output_tokens: int) -> float:
    """Return what a call counts whose model has no known price: as much as it would to the presets' dearest model."""
    models = {model for preset in PRESETS.values() for model in preset.models.values()}
    prices = (price_of(model, input_tokens, output_tokens) for model in models)
    known = [price for price in prices if price is not None]
    return max(known) if known else (input_tokens * _UNLISTED_INPUT + output_tokens * _UNLISTED_OUTPUT) / 1_000_000
