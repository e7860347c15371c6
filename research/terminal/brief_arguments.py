"""From arguments to the brief that they make."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from research.brief import DEAREST, LONGEST_MINUTES, Brief
from research.errors import UsageError
from research.language import Bilingual, Language
from research.methods.limits import DEEPEST
from research.terminal.vocabularies import CAPS, DEPTHS, LISTS, VOCABULARIES

_UNREADABLE = Bilingual("The brief {path} cannot be read: {reason}.", "ブリーフ {path} を読めません：{reason}")
_NO_OBJECT = Bilingual("The brief {path} is no JSON object.", "ブリーフ {path} は JSON オブジェクトではありません。")
_NO_QUESTION = Bilingual(
    "There is no question: give one, or a --brief that has one.",
    "問いがありません。問いを書くか、問いを含む --brief を指定してください。",
)
_UNUSABLE = Bilingual("{field} is not usable: {reason}", "{field} の値を使えません：{reason}")
_ONE_OF = Bilingual("it must be one of {values}.", "{values} のいずれかを指定してください。")
_MOST = {"max_cost_usd": DEAREST, "max_minutes": LONGEST_MINUTES}
_ABOVE_ZERO = Bilingual("it must be a number above 0, up to {most}.", "0より大きく{most}以下の数を指定してください。")
_FROM_TO = Bilingual("it must be a whole number from 1 to {most}.", "1から{most}までの整数を指定してください。")


def brief_of(arguments: argparse.Namespace, language: Language) -> Brief:
    """Return the brief: the file's, with what the arguments say in its place.

    Raises:
        UsageError: the file is no brief, or a value does not exist; the message names the field.
    """
    fields = _file(arguments.brief, language) if arguments.brief is not None else {}
    named = ("question", "preset", "method", "language", "note", *VOCABULARIES, *DEPTHS)
    given = {name: value for name in named if (value := getattr(arguments, name)) is not None}
    given |= {field: value for flag, field in (LISTS | CAPS).items() if (value := getattr(arguments, flag)) is not None}
    if "sources" in given:
        given["sources"] = [name.strip() for name in given["sources"].split(",") if name.strip()]
    fields |= given
    if not str(fields.get("question", "")).strip():
        raise UsageError(_NO_QUESTION.in_(language))
    try:
        return Brief.model_validate(fields)
    except ValidationError as error:
        raise UsageError(_reason(error, language)) from error


def _file(path: Path, language: Language) -> dict[str, Any]:
    try:
        fields = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(_UNREADABLE.in_(language).format(path=path, reason=reason)) from error
    if not isinstance(fields, dict):
        raise UsageError(_NO_OBJECT.in_(language).format(path=path))
    return fields


def _reason(error: ValidationError, language: Language) -> str:
    first = error.errors()[0]
    field = str(first["loc"][0]) if first["loc"] else "brief"
    reason = first["msg"]
    if first["type"] == "enum":
        reason = _ONE_OF.in_(language).format(values=first["ctx"]["expected"].replace("'", "").replace(" or ", ", "))
    elif field in _MOST:
        reason = _ABOVE_ZERO.in_(language).format(most=f"{_MOST[field]:g}")
    elif field in DEPTHS:
        reason = _FROM_TO.in_(language).format(most=DEEPEST)
    return _UNUSABLE.in_(language).format(field=field, reason=reason)
