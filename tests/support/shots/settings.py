"""Settings: without keys, with those of the environment, a check that fails, and an address that is none."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Shot, click, settle


def shots(homes: Homes) -> dict[str, Shot]:
    """Return what there is to see of the settings."""
    return {
        "settings": Shot(homes.page("settings")),
        "settings-keys": Shot(homes.page("settings", home=homes.keyed)),
        "settings-check": Shot(
            homes.page("settings", home=homes.keyed), click(".st-key-openai_search_check_button button")
        ),
        "settings-error": Shot(homes.page("settings"), _wrong),
    }


def _wrong(page: Page) -> None:
    """Enter an address that is none."""
    card = page.locator(".st-key-service_openai")
    card.locator("[class*=st-key-openai_address] input").fill("localhost:1/v1")
    card.locator("[class*=st-key-openai_save] button").click()
    settle(page)
