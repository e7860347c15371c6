"""The line under a report's title: when it was researched, and who wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from babel.dates import format_date

from research.core.presets import Role
from research.language import Bilingual, Language

_DATED = Bilingual("Researched on {date}", "調査日：{date}")
_BY_RULE = Bilingual(
    "composed by rule of verbatim quotes; no model wrote any of it",
    "原文の引用を規則により構成したもので、モデルによる文章は含みません",
)
_BY_MODEL = Bilingual(
    "written by the model {model}; each sentence checked against the stored page, by rules (see Verification)",
    "モデル {model} が執筆。各文は保存したページと規則により照合（「検証」を参照）",
)


def byline(language: Language, researched: date, writer: str, models: Mapping[Role, str]) -> str:
    """Return the line in the report's language; `writer` is the name of the analyst that wrote the text."""
    dated = _DATED.in_(language).format(date=format_date(researched, "long", locale=language.value))
    model = models.get(Role.FINAL_REPORT, writer)
    by = _BY_RULE.in_(language) if writer == "extractive" else _BY_MODEL.in_(language).format(model=model)
    return f"{dated} · {by}" + Bilingual(".", "。").in_(language)
