"""Read what weak models write where JSON was asked for: fences, prose around it, cut ends, wrong types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar, get_args, get_origin

import json_repair
from pydantic import BaseModel

from research.analysts.chat.messages import sendable

Shape = TypeVar("Shape", bound=BaseModel)

_THOUGHTS = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
_BLOCK = re.compile(r"```[\w-]*\s*(.*?)(?:```|\Z)|<tool_call>\s*(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_BULLET = re.compile(r"^\s*(?:(?:[-*•]|\d+[.)])\s+|・\s*)")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_TEXT_KEYS = ("quote", "text", "excerpt", "query", "id", "content", "value")
_DEPTH = 4
"""How deep a wanted object may be wrapped in others, or encoded as text in itself."""


def without_thoughts(text: str) -> str:
    """Return `text` without the thoughts that some models write before they answer."""
    return _THOUGHTS.sub("", text).strip()


def readings(text: str) -> Iterator[list[Any]]:
    """Yield the JSON objects and lists in `text` as they can be read, most literally first.

    First all that is whole, wherever it stands; then fenced blocks and then all of the text with what is broken or
    cut off repaired.
    """
    text = without_thoughts(text)
    yield list(_whole_values(text))
    yield [_repaired(fenced or tagged) for fenced, tagged in _BLOCK.findall(text)]
    start = _OPENING.search(text)
    if start:
        yield [_repaired(text[start.start() :])]


def decoded(value: Any) -> Any:
    """Return `value`, taken out of its text if it was encoded once too often."""
    for _ in range(_DEPTH):
        if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"')):
            break
        inner = json_repair.loads(value)
        if not inner or inner == value:
            break
        value = inner
    return value


def fit(value: Any, shape: type[Shape]) -> Shape | None:
    """Return `value` as a `shape`, or None if a field without default is missing.

    The fields of a shape are texts, numbers, lists of texts, and lists of other shapes; of those, items that do not
    fit are left out, and a bare text stands for a shape that needs nothing but one text.
    """
    needed = {name for name, field in shape.model_fields.items() if field.is_required()}
    found = _find(value, {_plain(name): name for name in shape.model_fields}, needed, _DEPTH)
    if found is None:
        return None
    fields = {name: _as(shape.model_fields[name].annotation, part) for name, part in found.items()}
    fields = {name: part for name, part in fields.items() if part is not None}
    return shape(**fields) if needed <= fields.keys() else None


def _as(wanted: Any, value: Any) -> Any:
    """Return `value` as a field of the type `wanted`; None if it is no number and has to be one."""
    if wanted in (int, float):
        number = as_number(value)
        return round(number) if wanted is int and number is not None else number
    if get_origin(wanted) is not list:
        return as_text(value)
    (item,) = get_args(wanted)
    if not issubclass(item, BaseModel):
        return as_list(value)
    value = decoded(value)
    return [found for part in (value if isinstance(value, list) else [value]) if (found := _item(part, item))]


def _item(value: Any, shape: type[Shape]) -> Shape | None:
    found = fit(value, shape)
    if found is not None:
        return found
    match [(name, field) for name, field in shape.model_fields.items() if field.is_required()]:
        case [(name, field)] if field.annotation is str and (text := as_text(value)):
            return shape(**{name: text})
    return None


def as_number(value: Any) -> float | None:
    """Return the first number in `value`, or None if there is none."""
    number = _NUMBER.search(as_text(value))
    return float(number.group()) if number else None


def as_text(value: Any) -> str:
    """Return `value` as one text; of an object, the part that is most likely the text."""
    if isinstance(value, str):
        return sendable(value).strip()
    if isinstance(value, list):
        return "\n".join(filter(None, map(as_text, value)))
    if isinstance(value, dict):
        return next((as_text(value[key]) for key in _TEXT_KEYS if value.get(key)), "")
    return "" if value is None or isinstance(value, bool) else str(value)


def as_list(value: Any) -> list[str]:
    """Return `value` as a list of texts without empty ones; lines of a text, and the values of an object, are items."""
    value = decoded(value)
    if isinstance(value, dict):
        one = as_text(value)
        return [one] if one else [item for part in value.values() for item in as_list(part)]
    if isinstance(value, list):
        return [
            item for part in value for item in (as_list(part) if isinstance(part, list) else [as_text(part)]) if item
        ]
    lines = as_text(value).splitlines()
    return [line for raw in lines if (line := _BULLET.sub("", raw).strip())]


def _whole_values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    position = 0
    while start := _OPENING.search(text, position):
        try:
            value, position = decoder.raw_decode(text, start.start())
        except ValueError:
            position = start.end()
            continue
        if value:
            yield value


def _repaired(text: str) -> Any:
    value = json_repair.loads(text)
    return value if isinstance(value, (dict, list)) else []


def _find(value: Any, wanted: dict[str, str], needed: set[str], depth: int) -> dict[str, Any] | None:
    """Return the `wanted` keys of the object in `value` that has all `needed`, however spelt and however deep."""
    value = decoded(value)
    if isinstance(value, dict):
        found = {wanted[_plain(key)]: part for key, part in value.items() if _plain(key) in wanted}
        if needed <= found.keys():
            return found
        value = list(value.values())
    if not isinstance(value, list) or not depth:
        return None
    inner = (_find(part, wanted, needed, depth - 1) for part in value if isinstance(part, (dict, list, str)))
    return next((found for found in inner if found is not None), None)


def _plain(name: object) -> str:
    return re.sub(r"[\W_]", "", str(name)).lower()
