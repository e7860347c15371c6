"""Make screenshots of every page and state: both languages, light and dark, wide and narrow.

python -m tests.support.screenshots [OUT [part of a name ...]]

Each name is the shot's with the look's behind it, as `report-card-ja-dark-narrow`; only those that hold every part that
is given are made. What does not fit into a window is shown a second time at its full height, with `-full` in its name.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Error

from research.language import Language
from tests.support.serving import PATIENCE, browser
from tests.support.shots.homes import Homes, homes
from tests.support.shots.pages import shots
from tests.support.shots.shot import Shot, settle

_WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}
_TALLEST = 6_000
_OUT = "build/screenshots"
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True)
class Look:
    """How a page is looked at."""

    language: Language
    scheme: Literal["light", "dark"]
    width: str

    @property
    def name(self) -> str:
        """What the file's name says of it."""
        return f"{self.language}-{self.scheme}-{self.width}"

    def context(self, chromium: Browser) -> BrowserContext:
        """Open a window like this; a narrow one is a telephone's."""
        across, down = _WIDTHS[self.width]
        return chromium.new_context(
            viewport={"width": across, "height": down},
            color_scheme=self.scheme,
            locale="ja-JP" if self.language is Language.JA else "en-GB",
            timezone_id="Asia/Tokyo" if self.language is Language.JA else "Europe/London",
            has_touch=self.width == "narrow",
        )


def main() -> None:
    """Make the screenshots that the command line asks for; all of them by default."""
    out, wanted = Path(sys.argv[1] if len(sys.argv) > 1 else _OUT), sys.argv[2:]
    out.mkdir(parents=True, exist_ok=True)
    failed: list[str] = []
    for language in Language:
        looks = [Look(language, *how) for how in product(_SCHEMES, _WIDTHS)]
        if looks := [look for look in looks if _may_be_meant(look, wanted)]:
            with tempfile.TemporaryDirectory() as folder, homes(Path(folder), language) as found, browser() as chromium:
                failed += [name for look in looks for name in _look_at(found, look, chromium, out, wanted)]
    if failed:
        sys.exit("Not made: " + ", ".join(failed))


def _may_be_meant(look: Look, wanted: list[str]) -> bool:
    """Whether no part names another look."""
    others = {*Language, *_SCHEMES, *_WIDTHS} - set(look.name.split("-"))
    return not any(set(part.split("-")) & others for part in wanted)


def _look_at(found: Homes, look: Look, chromium: Browser, out: Path, wanted: list[str]) -> list[str]:
    """Make the screenshots of one look, and return the names of those that could not be made."""
    failed = []
    context = look.context(chromium)
    for name, shot in shots(found).items():
        file = out / f"{name}-{look.name}.png"
        if all(part in file.stem for part in wanted):
            try:
                _shoot(context, shot, file)
            except Error as error:
                print(f"{file.stem}: {error.message.splitlines()[0]}", file=sys.stderr)  # noqa: T201
                failed.append(file.stem)
    context.close()
    return failed


def _shoot(context: BrowserContext, shot: Shot, file: Path) -> None:
    page = context.new_page()
    try:
        page.goto(shot.address)
        page.get_by_role("heading", level=1).first.wait_for(timeout=PATIENCE)
        page.wait_for_timeout(1_500)
        shot.act(page)
        settle(page)
        page.screenshot(path=file)
        size = page.viewport_size
        height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        if size is not None and height > size["height"]:
            page.set_viewport_size({"width": size["width"], "height": min(height, _TALLEST)})
            page.wait_for_timeout(500)
            page.screenshot(path=file.with_stem(file.stem + "-full"))
    finally:
        page.close()


if __name__ == "__main__":
    main()
