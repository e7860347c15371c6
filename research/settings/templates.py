"""Templates: briefs of which only what differs each time has to be typed, for common jobs and of the user's own.

Own templates are saved from a form, listed, deleted, and passed on as files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from research.core.brief import Brief
from research.core.errors import UsageError
from research.core.presets import PresetName
from research.core.vocabulary import Audience, Length, OutputForm, Period, Scope, Summary, Tone
from research.language import Bilingual, Language
from research.settings.files import Name, UserFile, clean_name

SUBJECT = "{subject}"
"""Stands in the question of a template for what is typed."""
MOST = 100
"""Templates that can be kept."""
LARGEST = 200_000
"""Bytes of a file that is taken for a template."""

_KIND: Literal["research-template"] = "research-template"
_NO_NAME = Bilingual("A template needs a name.", "テンプレートには名前が必要です。")
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


@dataclass(frozen=True)
class Persona:
    """How a report is written for a reader."""

    length: Length
    tone: Tone
    summary: Summary


PERSONAS: Mapping[Audience, Persona] = {
    Audience.FRONT_LINE: Persona(Length.SHORT, Tone.PLAIN, Summary.NONE),
    Audience.MANAGEMENT: Persona(Length.MEDIUM, Tone.NEUTRAL, Summary.FIRST),
    Audience.EXECUTIVES: Persona(Length.SHORT, Tone.FORMAL, Summary.FIRST),
}


@dataclass(frozen=True)
class Job:
    """A common job."""

    name: str
    label: Bilingual
    hint: Bilingual
    """What it brings, in a line."""
    asks: Bilingual
    """What has to be typed."""
    example: Bilingual
    question: Bilingual
    """With `{subject}` where what is typed goes."""
    scope: Scope
    preset: PresetName
    audience: Audience
    form: OutputForm
    length: Length
    period: Period | None = None
    summary: Summary | None = None
    tone: Tone | None = None
    exclusions: Bilingual | None = None
    note: Bilingual | None = None

    def brief(self, subject: str, language: Language) -> Brief:
        """Return the brief for what was typed, in `language`.

        Raises:
            ValidationError: so much was typed that it is no question any more.
        """
        return Brief(
            question=fill(self.question.in_(language), subject),
            scope=self.scope,
            period=self.period,
            preset=self.preset,
            language=language,
            audience=self.audience,
            form=self.form,
            length=self.length,
            summary=self.summary,
            tone=self.tone,
            exclusions=(self.exclusions.in_(language),) if self.exclusions else (),
            note=self.note.in_(language) if self.note else "",
        )


class OwnTemplate(BaseModel):
    """A brief with a name; its question may hold a place for what is typed each time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["research-template"] = _KIND
    version: Literal[1] = 1
    name: Name
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


kept = UserFile("templates.json", _Kept)
"""The user's own templates."""


def fill(text: str, subject: str) -> str:
    """Return a template's text with what was typed, on one line, whatever signs it holds."""
    return text.replace(SUBJECT, " ".join(subject.split()))


def load(home: Path) -> tuple[OwnTemplate, ...]:
    """Return the templates kept in `home`, in the order of their names.

    Raises:
        StoreError: they cannot be read, or the file is damaged.
    """
    return tuple(sorted(kept.load(home).templates, key=lambda template: template.name.casefold()))


def make(name: str, brief: Brief, language: Language, *, subject: str = "") -> OwnTemplate:
    """Return a template of `brief`; where its question names `subject`, it is asked for each time.

    Raises:
        UsageError: the name cannot be used; says why in `language`.
    """
    name = clean_name(name, _NO_NAME, language)
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
        StoreError: it cannot be written; then everything is as before.
    """

    def changed(before: _Kept) -> _Kept:
        others = [other for other in before.templates if other.name.casefold() != template.name.casefold()]
        if len(others) >= MOST:
            raise UsageError(_MANY.in_(language).format(most=MOST))
        return _Kept(templates=(*others, template))

    kept.change(home, changed)


def delete(home: Path, name: str) -> None:
    """Delete a template; nothing happens if there is none of that name.

    Raises:
        StoreError: the templates cannot be written.
    """
    kept.change(home, lambda before: _Kept(templates=tuple(one for one in before.templates if one.name != name)))


JOBS: tuple[Job, ...] = (
    Job(
        name="company",
        label=Bilingual("Company before a meeting", "訪問前の企業調査"),
        hint=Bilingual(
            "One page of key points: business, figures, recent moves, and what to ask about.",
            "事業、業績、直近の動き、確認したい点を1ページの要点にまとめます。",
        ),
        asks=Bilingual("Name of the company", "企業名"),
        example=Bilingual("Asanagi Pump Industries", "朝凪ポンプ工業"),
        question=Bilingual(
            "What should I know about {subject} before a meeting: its business, latest figures, strategy, "
            "recent events and risks?",
            "{subject}との面談の前に知っておくべきことは何か（事業内容、直近の業績、戦略、最近の動き、リスク）。",
        ),
        scope=Scope.COMPANY,
        period=Period.YEAR,
        preset=PresetName.SPEED,
        audience=Audience.MANAGEMENT,
        form=OutputForm.POINTS,
        length=Length.PAGE,
        summary=Summary.NONE,
        exclusions=Bilingual("Early history of the company", "創業期などの古い沿革"),
        note=Bilingual(
            "The reader meets the company soon. End with three questions worth asking, each resting on what was found.",
            "読み手は近くこの企業と面談する。最後に、調査結果にもとづく質問の候補を3つ挙げる。",
        ),
    ),
    Job(
        name="market",
        label=Bilingual("Market", "市場"),
        hint=Bilingual(
            "Size, growth, segments, players and outlook, with tables.",
            "規模、成長率、セグメント、主要企業、見通しを、表を交えてまとめます。",
        ),
        asks=Bilingual("Market", "市場"),
        example=Bilingual("industrial pumps in South-East Asia", "東南アジアの産業用ポンプ"),
        question=Bilingual(
            "How large is the market for {subject}, how fast does it grow, who leads it, and what is its outlook?",
            "{subject}の市場規模、成長率、主要企業、今後の見通しはどうか。",
        ),
        scope=Scope.MARKET,
        period=Period.THREE_YEARS,
        preset=PresetName.QUALITY,
        audience=Audience.MANAGEMENT,
        form=OutputForm.MIX,
        length=Length.MEDIUM,
        summary=Summary.FIRST,
        note=Bilingual(
            "Name year, currency and who measured for every market size; put differing figures side by side.",
            "市場規模には年、通貨、調査主体を必ず示し、数値が異なる場合は並べて比べる。",
        ),
    ),
    Job(
        name="competitors",
        label=Bilingual("Competitors", "競合比較"),
        hint=Bilingual(
            "Companies or products side by side: position, offer, price, strengths, moves.",
            "企業や製品を並べ、位置づけ、製品、価格、強み、動向を比べます。",
        ),
        asks=Bilingual("Who is compared", "比べる相手"),
        example=Bilingual("Grundfos, Ebara and Xylem", "荏原製作所、グルンドフォス、ザイレム"),
        question=Bilingual(
            "How do {subject} compare in market position, offer, prices, strengths and weaknesses, and recent moves?",
            "{subject}を、市場での位置づけ、製品・サービス、価格、強みと弱み、最近の動向で比べるとどうか。",
        ),
        scope=Scope.COMPETITORS,
        period=Period.YEAR,
        preset=PresetName.QUALITY,
        audience=Audience.MANAGEMENT,
        form=OutputForm.MIX,
        length=Length.MEDIUM,
        summary=Summary.FIRST,
        note=Bilingual(
            "Begin with one table over all that are compared, the same rows for each; say where nothing was found.",
            "冒頭に、全社を同じ項目で比べる表を一つ置く。情報が見つからない項目はその旨を示す。",
        ),
    ),
    Job(
        name="technology",
        label=Bilingual("Technology", "技術"),
        hint=Bilingual(
            "How it works, how mature it is, where it is used, its limits, who develops it.",
            "仕組み、成熟度、用途、限界、開発の担い手をまとめます。",
        ),
        asks=Bilingual("Technology", "技術"),
        example=Bilingual("solid-state batteries", "全固体電池"),
        question=Bilingual(
            "How does {subject} work, how mature is it, where is it used, what are its limits, and who develops it?",
            "{subject}の仕組み、成熟度、用途、限界、開発の担い手はどうか。",
        ),
        scope=Scope.TECHNOLOGY,
        period=Period.THREE_YEARS,
        preset=PresetName.QUALITY,
        audience=Audience.FRONT_LINE,
        form=OutputForm.MIX,
        length=Length.MEDIUM,
        summary=Summary.FIRST,
        tone=Tone.CRITICAL,
        note=Bilingual(
            "Keep apart what was measured, what its makers announce, and what is expected.",
            "実測された結果、企業の発表、将来の予測を区別して書く。",
        ),
    ),
    Job(
        name="policy",
        label=Bilingual("Policy and regulation", "政策・規制"),
        hint=Bilingual(
            "Rules in force, planned changes with their dates, and whom they affect; primary sources only.",
            "現行の規則、予定される変更と時期、影響を受ける対象を、一次情報だけでまとめます。",
        ),
        asks=Bilingual("Rule or field", "規制・分野"),
        example=Bilingual("the EU rules on batteries", "EU の電池規則"),
        question=Bilingual(
            "What is in force on {subject}, what will change and when, who decides, and whom does it affect?",
            "{subject}について、現行の規則、予定される変更とその時期、所管、影響を受ける対象は何か。",
        ),
        scope=Scope.POLICY,
        preset=PresetName.FACT_STRICT,
        audience=Audience.MANAGEMENT,
        form=OutputForm.TEXT,
        length=Length.SHORT,
        summary=Summary.FIRST,
        tone=Tone.FORMAL,
        exclusions=Bilingual("Opinions of parties and commentators", "政党や論者の意見"),
        note=Bilingual(
            "Give each rule its name, its status and its date; keep apart what is in force and what is proposed.",
            "規則ごとに名称、段階、日付を示し、施行済みのものと提案段階のものを区別する。",
        ),
    ),
    Job(
        name="country",
        label=Bilingual("Country", "国・地域"),
        hint=Bilingual(
            "Population, economy, energy, government and risks, as a base for a decision.",
            "人口、経済、エネルギー、政治体制、リスクを、判断の材料としてまとめます。",
        ),
        asks=Bilingual("Country", "国・地域"),
        example=Bilingual("Vietnam", "ベトナム"),
        question=Bilingual(
            "What should a company know about {subject}: population, economy, energy and infrastructure, government, "
            "risks?",
            "{subject}について企業が知っておくべきことは何か（人口、経済、エネルギーとインフラ、政治体制、リスク）。",
        ),
        scope=Scope.COUNTRY,
        preset=PresetName.QUALITY,
        audience=Audience.MANAGEMENT,
        form=OutputForm.MIX,
        length=Length.MEDIUM,
        summary=Summary.FIRST,
        note=Bilingual(
            "State the year of every figure; prefer official statistics.", "数値には年を示し、公的統計を優先する。"
        ),
    ),
    Job(
        name="literature",
        label=Bilingual("Literature", "文献"),
        hint=Bilingual(
            "What has been studied and how, what was found, where findings disagree, what is open.",
            "何がどのように研究され、何が分かり、どこで見解が分かれ、何が未解決かをまとめます。",
        ),
        asks=Bilingual("Field or question", "分野・問い"),
        example=Bilingual("the effect of remote work on productivity", "在宅勤務が生産性に与える影響"),
        question=Bilingual(
            "What has been found on {subject}: questions asked, methods, findings, disagreement and open problems?",
            "{subject}についてどのような研究があるか（問い、方法、知見、見解の相違、未解決の課題）。",
        ),
        scope=Scope.LITERATURE,
        period=Period.FIVE_YEARS,
        preset=PresetName.QUALITY,
        audience=Audience.FRONT_LINE,
        form=OutputForm.TEXT,
        length=Length.MEDIUM,
        summary=Summary.FIRST,
        tone=Tone.CRITICAL,
        exclusions=Bilingual("Advertising and pages without an author", "広告、著者の分からないページ"),
        note=Bilingual(
            "Name authors and year for each finding; weigh sample size and method.",
            "知見ごとに著者と年を示し、標本の大きさや方法を踏まえて評価する。",
        ),
    ),
)
