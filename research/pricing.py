"""What a model call costs, from the price list that ships with genai-prices; nothing is fetched."""

from __future__ import annotations


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
