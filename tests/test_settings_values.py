"""What people paste as keys and addresses, made usable or refused in words."""

import pytest

from research.core import UsageError
from research.language import Language
from research.settings import clean_address, clean_key, clean_model, is_unencrypted, shown_address


@pytest.mark.parametrize(
    "pasted",
    [
        "sk-abc123",
        "  sk-abc123\n",
        "sk-abc\r\n123",
        "sk-abc 123",
        "\u200bsk-abc123\ufeff",
        '"sk-abc123"',
        "OPENAI_API_KEY=sk-abc123",
        "export OPENAI_API_KEY='sk-abc123';",
        "Bearer sk-abc123",
        "Authorization: Bearer sk-abc123",
    ],
)
def test_what_came_along_with_a_key_is_taken_off(pasted: str) -> None:
    assert clean_key(pasted, Language.EN) == "sk-abc123"


def test_an_empty_field_is_no_key() -> None:
    assert clean_key(" \n", Language.EN) == ""


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("pasted", ["ｓｋ－ａｂｃ", "sk-あいう", "sk-\x00secret", "sk-secret" * 1_000])
def test_what_cannot_be_a_key_is_refused_without_repeating_it(pasted: str, language: Language) -> None:
    with pytest.raises(UsageError) as refused:
        clean_key(pasted, language)
    assert pasted not in str(refused.value) and "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("", ""),
        (" https://api.example.com/v1/ ", "https://api.example.com/v1"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("https://api.tavily.com/search", "https://api.tavily.com"),
    ],
)
def test_an_address_is_brought_to_its_base(typed: str, address: str) -> None:
    assert clean_address(typed, Language.EN) == address


@pytest.mark.parametrize(
    "typed",
    [
        "api.example.com/v1",
        "localhost:11434/v1",
        "ftp://example.com",
        "file:///etc/passwd",
        "https://",
        "http://[::1/v1",
        "http://example.com:99999/v1",
        "https://example.com/v1?key=sk-1",
        "https://例え.jp/v1",
        "javascript:alert(1)",
        "https://example.com/" + "x" * 1_000,
    ],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="address"):
        clean_address(typed, Language.EN)


def test_a_password_has_no_place_in_an_address() -> None:
    with pytest.raises(UsageError, match="own field") as refused:
        clean_address("https://me:hunter2@example.com/v1", Language.EN)
    assert "hunter2" not in str(refused.value)
    assert shown_address("https://me:hunter2@example.com:1/v1") == "https://example.com:1/v1"
    assert shown_address("nonsense@") == "nonsense@"


@pytest.mark.parametrize(
    ("address", "open_"),
    [
        ("http://models.example.com/v1", True),
        ("http://192.168.1.5:8000", True),
        ("https://models.example.com/v1", False),
        ("http://localhost:11434/v1", False),
        ("http://127.0.0.1:1", False),
        ("http://[::1]:1", False),
        ("nonsense", False),
    ],
)
def test_an_address_whose_traffic_others_can_read_is_known(address: str, open_: bool) -> None:
    assert is_unencrypted(address) is open_


def test_a_model_is_one_short_line() -> None:
    assert clean_model(" qwen2.5:0.5b ", Language.EN) == "qwen2.5:0.5b"
    for typed in ("a\nb", "x" * 201, "a\x00"):
        with pytest.raises(UsageError):
            clean_model(typed, Language.JA)
