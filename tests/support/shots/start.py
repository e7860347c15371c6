"""The start page: as it opens, filled, by a template, for a reader, with and without keys, and what may be wrong."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Shot, after, click, settle, type_into, upload

_NAMES = {"en": "Asanagi Pump Industries", "ja": "あさなぎポンプ工業"}
_QUESTION = type_into(".st-key-brief_question textarea", "How large is the pump market?", leave="Tab")
_TEMPLATE = click(".st-key-template_chosen [role=radio]")
_MORE = click(".st-key-more_open summary")


def shots(homes: Homes) -> dict[str, Shot]:
    """Return what there is to see of the start page."""
    here, newcomer, keyed = (homes.page(home=home) for home in (homes.address, homes.newcomer, homes.keyed))
    named = after(_TEMPLATE, type_into(".st-key-template_subject input", _NAMES[homes.language]))
    return {
        "new": Shot(here),
        "new-newcomer": Shot(newcomer),
        "new-models": Shot(keyed),
        "new-filled": Shot(here, after(click(".sample", 1), _MORE)),
        "new-template": Shot(here, _TEMPLATE),
        "new-template-named": Shot(here, named),
        "new-persona": Shot(keyed, after(_QUESTION, _persona)),
        "new-method-menu": Shot(here, click(".st-key-brief_method input")),
        "new-capped": Shot(keyed, after(_QUESTION, _MORE, _cap)),
        "new-save-and-load": Shot(here, after(named, click(".st-key-save_and_load button"))),
        "new-documents": Shot(here, click(".st-key-documents_open summary")),
        "new-refused": Shot(here, after(click(".st-key-documents_open summary"), upload("budget.xlsx", b"PK"))),
        "new-error-empty": Shot(newcomer, click(".st-key-start button")),
    }


def _persona(page: Page) -> None:
    """Choose the reader of the report."""
    click(".st-key-brief_audience input")(page)
    page.get_by_role("option").nth(2).click()
    settle(page)


def _cap(page: Page) -> None:
    """Say what the run may cost, less than it probably will."""
    type_into(".st-key-brief_max_cost_usd input", "0.05")(page)
