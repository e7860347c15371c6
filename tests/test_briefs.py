"""The brief: what it accepts, how it is saved, and how it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from research import core
from research.language import Language
from research.settings import templates
from research.settings.templates import JOBS, PERSONAS, SUBJECT, Job

VOCABULARIES: list[type[core.Vocabulary]] = [
    core.Audience, core.Length, core.OutputForm, core.PeriodChoice, core.Region, core.Scope, core.SourceKind,
    core.Summary, core.Tone,
]  # fmt: skip


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.__name__)
def test_every_term_has_words_and_a_label_in_both_languages(vocabulary: type[core.Vocabulary]) -> None:
    for term in vocabulary:
        assert all(term.label) and all(term.words), term
        assert vocabulary(term.value) is term
    assert len({term.label.ja for term in vocabulary}) == len(vocabulary)


def test_only_the_question_is_required_and_the_rest_is_said_to_be_any() -> None:
    text = core.compose(core.Brief(question="  How large is the pump market? "))
    assert text.startswith("Question: How large is the pump market?\n")
    assert "Period: any" in text and "Region: any" in text
    assert "Not to be researched" not in text


def test_brief_reads_in_the_language_of_the_report() -> None:
    brief = core.Brief(
        question="ポンプ市場の規模は？",
        language=Language.JA,
        period=core.PeriodChoice.YEAR,
        exclusions=("家庭用", "中古"),
        glossary={"BU": "事業部"},
    )
    text = core.compose(brief)
    assert "期間：過去1年の情報" in text
    assert "地域：指定なし" in text
    assert "調査しないこと：家庭用、中古" in text
    assert "社内用語：BU＝事業部" in text


def test_what_the_analyst_sets_goes_before_the_preset() -> None:
    by_preset = core.compose(core.Brief(question="Q", preset=core.PresetName.SPEED))
    by_hand = core.compose(core.Brief(question="Q", preset=core.PresetName.SPEED, length=core.Length.LONG))
    assert core.Length.PAGE.words.en in by_preset
    assert core.Length.LONG.words.en in by_hand and core.Length.PAGE.words.en not in by_hand


@pytest.mark.parametrize("question", ["", "   ", "x" * 4_001])
def test_empty_and_endless_questions_are_refused(question: str) -> None:
    with pytest.raises(ValidationError):
        core.Brief(question=question)


def test_sites_are_reduced_to_their_domains() -> None:
    brief = core.Brief(
        question="Q", forbidden_sites=("https://www.Example.com/path", "example.com", "news.example.org")
    )
    assert brief.forbidden_sites == ("example.com", "news.example.org")


def test_every_preset_names_a_model_for_each_role_and_limits_each_loop() -> None:
    assert set(core.PRESETS) == set(core.PresetName)
    for preset in core.PRESETS.values():
        assert set(preset.models) == set(core.Role)
        limits = preset.limits
        assert limits.supervisor_turns >= 3 and limits.researcher_turns > limits.searches >= 1
        assert limits.concurrent_researchers <= limits.researchers


# --- templates for common jobs, readers, and templates that the user keeps -------------------------------------------


EN, JA = Language.EN, Language.JA


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_of_a_common_job_only_its_subject_is_typed(job: Job, language: Language) -> None:
    subject = job.example.in_(language)
    brief = job.brief(f"  {subject}\n", language)
    assert subject in brief.question
    assert SUBJECT not in core.compose(brief)
    assert (brief.language, brief.scope, brief.preset) == (language, job.scope, job.preset)
    assert brief.audience and brief.form and brief.length and brief.note
    assert not any(ord(sign) > 0x3000 for sign in job.brief("x", EN).question), "no Japanese in English"


def test_what_is_typed_is_taken_as_it_is() -> None:
    assert "{0} & {subject!r} %s" in JOBS[0].brief("{0} & {subject!r} %s", EN).question


def test_every_reader_has_a_manner_of_writing() -> None:
    assert set(PERSONAS) == set(core.Audience)
    assert len({(one.length, one.tone, one.summary) for one in PERSONAS.values()}) == len(PERSONAS)


def brief(**fields: object) -> core.Brief:
    return core.Brief.model_validate(
        {"question": "What does Asanagi sell?", "scope": "company", "note": "注意", **fields}
    )


def test_a_template_is_kept_listed_replaced_and_deleted(tmp_path: Path) -> None:
    assert templates.load(tmp_path) == ()
    for name in ("Zulu", " alpha ", "Mike"):
        templates.save(tmp_path, templates.make(name, brief()))
    assert [one.name for one in templates.load(tmp_path)] == ["alpha", "Mike", "Zulu"]
    templates.save(tmp_path, templates.make("ALPHA", brief(length="page")))
    kept = templates.load(tmp_path)
    assert [one.name for one in kept] == ["ALPHA", "Mike", "Zulu"]
    assert kept[0].brief.length is core.Length.PAGE
    templates.delete(tmp_path, "Mike")
    templates.delete(tmp_path, "never there")
    assert [one.name for one in templates.load(tmp_path)] == ["ALPHA", "Zulu"]


def test_what_was_typed_for_one_template_is_asked_for_by_the_next() -> None:
    template = templates.make("Companies", brief(), subject="Asanagi")
    assert template.asks
    assert template.filled("Ebara").question == "What does Ebara sell?"
    plain = templates.make("One company", brief())
    assert not plain.asks
    assert plain.filled("Ebara") == brief()


def test_a_template_without_a_question_asks_for_it() -> None:
    template = templates.make("My manner", brief(question=SUBJECT))
    assert template.filled("Why tea?").question == "Why tea?"
    assert len(template.filled("x" * 9_000).question) == 4_000


def test_a_template_passes_through_a_file() -> None:
    template = templates.make("企業調査", brief(max_cost_usd=0.5), subject="Asanagi")
    data = template.to_json().encode()
    assert templates.is_template(data)
    assert templates.read(data) == template
    assert "max_minutes" not in template.to_json(), "what is unset is left out"


def held(**changes: object) -> bytes:
    fields = json.loads(templates.make("Mine", brief()).to_json())
    return json.dumps(fields | changes).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "holds no template"),
        (b"%PDF-1.7", "holds no template"),
        (b"\xff\xfe", "holds no template"),
        (b"[]", "holds no template"),
        (b"{}", "holds no template"),
        (b'{"question": "Why?"}', "holds no template"),
        (held(kind="something else"), "holds no template"),
        (held(version=2), "newer version"),
        (held(name=""), "“name”"),
        (held(name="x" * 61), "“name”"),
        (held(brief={"question": "Why?", "scope": "moon"}), "“scope”"),
        (held(brief={"question": ""}), "“question”"),
        (held(brief={"question": "Why?", "max_cost_usd": -1}), "“max_cost_usd"),
        (held(color="red"), "“color”"),
        (b" " * 200_001, "too large"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(data: bytes, said: str) -> None:
    with pytest.raises(core.UsageError) as caught:
        templates.read(data)
    assert said in str(caught.value) != caught.value.text.ja


@pytest.mark.parametrize(("name", "said"), [("", "needs a name"), (" \n ", "needs a name"), ("x" * 61, "too long")])
def test_a_name_must_be_one(name: str, said: str) -> None:
    with pytest.raises(core.UsageError, match=said):
        templates.make(name, brief())


def test_there_are_not_endlessly_many(tmp_path: Path) -> None:
    held = [json.loads(templates.make(f"T{number}", brief()).to_json()) for number in range(templates.MOST)]
    templates.kept.path(tmp_path).parent.mkdir(parents=True)
    templates.kept.path(tmp_path).write_text(json.dumps({"templates": held}), encoding="utf-8")
    with pytest.raises(core.UsageError, match="too many"):
        templates.save(tmp_path, templates.make("One more", brief()))
    templates.save(tmp_path, templates.make("T7", brief(length="page")))
    assert len(templates.load(tmp_path)) == templates.MOST


def test_a_subject_that_is_too_long_for_a_question_is_refused() -> None:
    with pytest.raises(ValidationError):
        JOBS[0].brief("x" * 4_000, EN)
