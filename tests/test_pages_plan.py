"""The plan on the run's page: read, let begin, edited, given up."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from pages.parts.engine import engine
from pages.parts.live.plan import Draft, plan_card
from pages.parts.nodes import el
from pages.parts.ui import Ui
from research import core
from research.language import Language
from research.store import utc_now
from tests.support import sample_plans, sample_runs
from tests.support.machine import wait_until
from tests.support.sample_runs import Story
from tests.support.stored_runs import append
from tests.support.without_browser import shown

PLAN = sample_plans.OUTLINES[Language.EN]


def opened(app: AppTest, language: Language = Language.EN, seconds: float = 60.0) -> str:
    """Open the page of a run whose plan waits, and return the run's id."""
    app.session_state["lang"] = language.value
    app.run()
    run = sample_plans.waiting(engine().store, language, seconds)
    app.query_params["id"] = run
    app.switch_page("pages/run.py").run()
    assert not app.exception
    return run


def field(app: AppTest, run: str, section: int, name: str):  # type: ignore[no-untyped-def]
    kind = app.text_input if name in ("title", "focus") else app.text_area
    return kind(key=f"plan_{run}_{section}_{name}")


def button(app: AppTest, run: str, name: str) -> Button:
    """A button of the form, whichever name it has at the moment."""
    return next(one for one in app.button if (one.key or "").startswith(f"plan_{run}_{name}"))


def press(app: AppTest, run: str, name: str) -> None:
    button(app, run, name).click().run()
    assert not app.exception


def asked(run: str) -> list[core.Steer]:
    return list(engine().store.steering(run).values())


def saved(run: str) -> core.Outline:
    """The plan that was sent to the run."""
    held, begun = asked(run)
    assert held == core.HoldPlan()
    assert isinstance(begun, core.BeginWithPlan)
    assert begun.outline is not None
    return begun.outline


def test_a_plan_that_waits_can_be_let_begin(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_begin").click().run()
    assert asked(run) == [core.BeginWithPlan()]
    assert app.button(key="plan_begin").disabled
    assert app.button(key="plan_edit").disabled


def test_who_opens_the_editor_holds_the_plan_and_finds_it_in_the_fields(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_edit").click().run()
    assert asked(run) == [core.HoldPlan()]
    assert field(app, run, 1, "title").value == "Policy and regulation"
    assert field(app, run, 1, "questions").value.splitlines() == list(PLAN.sections[1].questions)
    assert field(app, run, 0, "needs").value.splitlines() == ["Units sold", "Revenue", "Forecasts"]
    assert "plan_begin" not in [button.key for button in app.button]


def test_a_plan_saved_as_it_was_is_the_plan_itself(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_edit").click().run()
    press(app, run, "begin")
    assert saved(run) == PLAN
    assert app.button(key="plan_begin").disabled, "the form is closed, and research begins"


def test_sections_are_changed_moved_added_and_removed_and_nothing_typed_is_lost(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_edit").click().run()
    field(app, run, 0, "title").set_value("Units")
    field(app, run, 0, "questions").set_value("How many?\n\n  How dear?  \n")
    press(app, run, "1_up")
    press(app, run, "3_remove")
    field(app, run, 2, "focus").set_value("Their capacity")
    press(app, run, "add")
    field(app, run, 4, "title").set_value("Outlook")
    press(app, run, "begin")
    plan = saved(run)
    assert [section.title for section in plan.sections] == [
        "Policy and regulation",
        "Units",
        "Makers and their margins",
        "Outlook",
    ]
    assert plan.sections[1].questions == ("How many?", "How dear?")
    assert plan.sections[2].focus == "Their capacity"
    assert (plan.purpose, plan.remark) == (PLAN.purpose, PLAN.remark)


def test_the_first_cannot_go_up_nor_the_last_down_nor_more_be_added_than_the_preset_allows(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_edit").click().run()
    assert button(app, run, "0_up").disabled
    assert button(app, run, "3_down").disabled
    press(app, run, "add")
    assert button(app, run, "add").disabled
    press(app, run, "0_remove")
    assert button(app, run, "1_up").disabled
    assert not button(app, run, "add").disabled


def test_a_section_without_title_is_called_by_what_it_says_and_an_empty_one_is_left_out(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_edit").click().run()
    field(app, run, 0, "title").set_value(" ")
    for name in ("title", "focus", "questions", "needs"):
        field(app, run, 1, name).set_value("")
    press(app, run, "begin")
    assert [section.title for section in saved(run).sections] == [
        "Units and revenue by use, with the last five years",
        "Makers and their margins",
        "Risks",
    ]


def test_who_cancels_comes_back_to_the_plan_and_sends_nothing(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_edit").click().run()
    field(app, run, 0, "title").set_value("Something else")
    press(app, run, "cancel")
    assert asked(run) == [core.HoldPlan()]
    assert not app.button(key="plan_begin").disabled
    app.button(key="plan_edit").click().run()
    assert field(app, run, 0, "title").value == "Size and growth"


def test_who_is_overtaken_while_editing_is_told(app: AppTest) -> None:
    run = opened(app)
    app.button(key="plan_edit").click().run()
    append(engine().store, run, core.PlanHeld(begins_at=utc_now()))
    append(engine().store, run, core.PlanSettled(outline=PLAN, edited=False))
    app.run()
    assert "they were not used" in shown(app)
    assert f"plan_{run}_begin" not in [button.key for button in app.button]
    app.run()
    assert "they were not used" not in shown(app), "it is said once"


def test_when_the_plan_is_settled_nothing_of_it_waits_any_more(app: AppTest) -> None:
    run = opened(app)
    append(engine().store, run, core.PlanSettled(outline=PLAN, edited=False))
    app.run()
    assert "plan_begin" not in {button.key for button in app.button}
    assert "they were not used" not in shown(app)
    app.button(key="plan_edit").click().run()  # out of sight, for whoever presses in that instant
    assert not [field for field in app.text_input if field.key.endswith("title")]


def test_a_run_started_on_the_page_waits_with_its_plan_until_it_is_let_begin(app: AppTest) -> None:
    app.run()
    app.text_area(key="brief_question").set_value("What sales targets has Asanagi Pump Industries set?")
    app.multiselect(key="brief_sources").set_value(["house"])
    app.selectbox(key="brief_method").set_value("gap-driven")
    app.button(key="start").click().run()
    run = engine().store.list()[0].id
    wait_until(lambda: any(isinstance(event, core.PlanDrafted) for event in engine().store.events(run)))
    app.query_params["id"] = run
    app.run()
    app.button(key="plan_begin").click().run()
    report = engine().runner.wait(run, 60)
    (settled,) = [event for event in report.history if isinstance(event, core.PlanSettled)]
    assert not settled.edited
    assert report.record.evidence


def test_a_run_without_a_plan_offers_none(app: AppTest, tmp_path: Path) -> None:
    app.run()
    app.query_params["id"] = sample_runs.researching(engine().store, Language.EN)
    app.switch_page("pages/run.py").run()
    assert "plan_begin" not in [button.key for button in app.button]


def test_who_opens_the_plan_in_the_instant_in_which_the_run_ends_finds_it_open(app: AppTest) -> None:
    app.session_state["lang"] = "en"
    app.run()
    story = Story(engine().store, Language.EN, "chat")
    story.research()
    app.query_params["id"] = story.run
    app.switch_page("pages/run.py").run()
    assert app.button(key="plan_edit").label == "Edit"
    story.end(core.Status.COMPLETE)
    app.run()
    assert app.button(key="rewrite"), "its report is there"
    app.button(key="plan_edit").click().run()
    assert not app.exception
    assert "parts_begin" in [button.key for button in app.button]


def test_who_comes_when_a_run_has_ended_finds_nothing_that_opens_its_plan(app: AppTest) -> None:
    app.session_state["lang"] = "en"
    app.run()
    app.query_params["id"] = sample_runs.ended(engine().store, Language.EN)
    app.switch_page("pages/run.py").run()
    assert "plan_edit" not in [button.key for button in app.button]


def test_the_editor_speaks_japanese(app: AppTest) -> None:
    run = opened(app, Language.JA)
    assert app.button(key="plan_begin").label == "今すぐ開始"
    app.button(key="plan_edit").click().run()
    assert field(app, run, 0, "title").label == "章タイトル"
    assert field(app, run, 0, "title").value == "市場規模と成長"


@pytest.mark.parametrize("language", list(Language))
def test_the_card_says_all_that_the_plan_says(language: Language) -> None:
    plan, ui = sample_plans.OUTLINES[language], Ui.of(language, None)
    depth = core.DepthChosen(depth=core.Depth(queries_per_section=2, iterations=3, reason="It is wide."), by="analyst")
    told = el("div", "", *plan_card(plan, depth, language, ui)).text()
    said = [plan.purpose, plan.introduction, plan.conclusion, plan.remark, "It is wide."]
    for section in plan.sections:
        said += [section.title, section.focus, *section.questions, *section.needs]
    assert [text for text in said if text not in told] == []


def test_a_plan_of_titles_alone_has_no_empty_parts() -> None:
    tree = el(
        "div",
        "",
        *plan_card(
            core.Outline(sections=(core.Section(title="A", focus="A"),)), None, Language.EN, Ui.of(Language.EN, None)
        ),
    )
    assert tree.text() == "1A"


def test_a_press_that_is_heard_of_more_than_once_counts_once() -> None:
    draft = Draft("run", core.Outline(sections=()), at_most=5, has_needs=False, sections=[3, 1, 2])
    for _ in range(3):
        draft.move(3, 1)
        draft.remove(2)
    assert draft.sections == [1, 3]
    draft.append(1)
    assert draft.sections == [1, 3], "it was drawn for another plan"
