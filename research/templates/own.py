"""Templates that the user keeps: saved from a form, listed, deleted, passed on as files."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from research import private_file
from research.core.brief import Brief
from research.core.errors import UsageError
from research.language import Bilingual, Language
from research.templates.filling import SUBJECT, fill

LONGEST_NAME = 60
MOST = 100
"""Templates that can be kept."""
LARGEST = 200_000
"""Bytes of a file that is taken for a template."""

_KIND: Literal["research-template"] = "research-template"
_lock = threading.Lock()
_NO_NAME = Bilingual("A template needs a name.", "テンプレートには名前が必要です。")
_LONG_NAME = Bilingual(
    "The name is too long: at most {most} characters.", "名前が長すぎます。{most}文字以内にしてください。"
)
_MANY = Bilingual(
    "There are too many templates: at most {most}. Delete some first.",
    "テンプレートが多すぎます（上限{most}件）。先に不要なものを削除してください。",
)
_NO_TEMPLATE = Bilingual(
    "This file holds no template. Choose one that was saved with “Save as file”.",
    "テンプレートのファイルではありません。「ファイルに保存」で作成したものを選んでください。",
)
_NEWER = Bilingual(
    "This template was saved by a newer version of the program. Update the program, then load it again.",
    "このテンプレートは新しいバージョンのプログラムで保存されています。プログラムを更新してから読み込んでください。",
)
_FIELD = Bilingual(
    "This template cannot be used: look at “{field}”.", "このテンプレートは使えません。「{field}」を確認してください。"
)
_TOO_LARGE = Bilingual("This file is too large for a template.", "テンプレートとしてはファイルが大きすぎます。")


class OwnTemplate(BaseModel):
    """A brief with a name; its question may hold a place for what is typed each time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["research-template"] = _KIND
    version: Literal[1] = 1
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME)]
    brief: Brief

    @property
    def asks(self) -> bool:
        """Whether something has to be typed."""
        return SUBJECT in self.brief.question

    def filled(self, subject: str) -> Brief:
        """Return the brief with what was typed."""
        question = fill(self.brief.question, subject)[:4_000]
        return Brief.model_validate(self.brief.model_dump() | {"question": question})

    def to_json(self) -> str:
        """Return the template as a file that `read` reads."""
        brief = self.brief.model_dump(mode="json", exclude_defaults=True)
        return json.dumps(self.model_dump(mode="json") | {"brief": brief}, ensure_ascii=False, indent=2) + "\n"


class _Kept(BaseModel):
    templates: tuple[OwnTemplate, ...] = ()


def place(home: Path) -> Path:
    """Return where the templates of `home` are kept, whether or not there are any."""
    return home / "settings" / "templates.json"


def load(home: Path) -> tuple[OwnTemplate, ...]:
    """Return the templates kept in `home`, in the order of their names.

    Raises:
        StoreError: they cannot be read, or the file is damaged.
    """
    kept = private_file.read(place(home), _Kept) or _Kept()
    return tuple(sorted(kept.templates, key=lambda one: one.name.casefold()))


def make(name: str, brief: Brief, language: Language, *, subject: str = "") -> OwnTemplate:
    """Return a template of `brief`; where its question names `subject`, it is asked for each time.

    Raises:
        UsageError: the name cannot be used; says why in `language`.
    """
    name = " ".join(name.split())
    if not name:
        raise UsageError(_NO_NAME.in_(language))
    if len(name) > LONGEST_NAME:
        raise UsageError(_LONG_NAME.in_(language).format(most=LONGEST_NAME))
    wanted = " ".join(subject.split())
    if wanted:
        brief = brief.model_copy(update={"question": brief.question.replace(wanted, SUBJECT)})
    return OwnTemplate(name=name, brief=brief)


def read(data: bytes, language: Language) -> OwnTemplate:
    """Return the template that a file holds.

    Raises:
        UsageError: it holds none, or one that cannot be used; says why in `language`.
    """
    if len(data) > LARGEST:
        raise UsageError(_TOO_LARGE.in_(language))
    try:
        return OwnTemplate.model_validate_json(data)
    except ValidationError as error:
        fields = [".".join(map(str, entry["loc"])) for entry in error.errors()]
        first = error.errors()[0]
        if not fields[0] or "kind" in fields or {"name", "brief"} <= set(fields):
            raise UsageError(_NO_TEMPLATE.in_(language)) from error
        if "version" in fields and isinstance(first["input"], int):
            raise UsageError(_NEWER.in_(language)) from error
        raise UsageError(_FIELD.in_(language).format(field=fields[0].removeprefix("brief."))) from error


def is_template(data: bytes) -> bool:
    """Whether a file says that it is a template, whatever else is wrong with it."""
    try:
        held = json.loads(data)
    except ValueError:
        return False
    return isinstance(held, dict) and held.get("kind") == _KIND


def save(home: Path, template: OwnTemplate, language: Language) -> None:
    """Keep a template; it takes the place of one that has its name.

    Raises:
        UsageError: there are too many; says so in `language`.
        StoreError: it cannot be written, or those that are there cannot be read; then everything is as before.
    """

    def changed(before: tuple[OwnTemplate, ...]) -> tuple[OwnTemplate, ...]:
        others = tuple(one for one in before if one.name.casefold() != template.name.casefold())
        if len(others) >= MOST:
            raise UsageError(_MANY.in_(language).format(most=MOST))
        return (*others, template)

    _change(home, changed)


def delete(home: Path, name: str) -> None:
    """Delete a template; nothing happens if there is none of that name.

    Raises:
        StoreError: the templates cannot be read or written.
    """
    _change(home, lambda before: tuple(one for one in before if one.name != name))


def _change(home: Path, changed: Callable[[tuple[OwnTemplate, ...]], tuple[OwnTemplate, ...]]) -> None:
    with _lock:
        kept = _Kept(templates=changed(load(home)))
        private_file.write(place(home), kept.model_dump_json(indent=2) + "\n")
