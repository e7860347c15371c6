"""Make screenshots of every page and state: both languages, light and dark, wide and narrow.

python -m tests.support.screenshots [OUT [part of a name ...]]

Each name is the shot's with the look's behind it, as `report-card-ja-dark-narrow`; only those that hold every part that
is given are made. What does not fit into a window is shown a second time at its full height, with `-full` in its name.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Error, Page

from research.language import Language
from tests.support.serving import PATIENCE, browser
from tests.support.shots.homes import Homes, homes
from tests.support.shots.pages import shots
from tests.support.shots.shot import Shot, settle

_WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}
_TALLEST = 6_000
_OUT = "build/screenshots"
Scheme = Literal["light", "dark"]
_SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@dataclass(frozen=True)
class Look:
    """How a page is looked at; light and dark are looked at in one window, one after the other."""

    language: Language
    width: str

    def name(self, scheme: str) -> str:
        """What the file's name says of it."""
        return f"{self.language}-{scheme}-{self.width}"

    def context(self, chromium: Browser) -> BrowserContext:
        """Open a window like this; a narrow one is a telephone's."""
        across, down = _WIDTHS[self.width]
        return chromium.new_context(
            viewport={"width": across, "height": down},
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
        if looks := [look for look in (Look(language, width) for width in _WIDTHS) if _schemes(look, wanted)]:
            with tempfile.TemporaryDirectory() as folder, homes(Path(folder), language) as found, browser() as chromium:
                failed += [name for look in looks for name in _look_at(found, look, chromium, out, wanted)]
    if failed:
        sys.exit("Not made: " + ", ".join(failed))


def _schemes(look: Look, wanted: list[str]) -> list[Scheme]:
    """Return light and dark, as far as no part names another look."""
    meant = {word for part in wanted for word in part.split("-")} & {*Language, *_SCHEMES, *_WIDTHS}
    return [scheme for scheme in _SCHEMES if meant <= {*look.name(scheme).split("-")}]


def _look_at(found: Homes, look: Look, chromium: Browser, out: Path, wanted: list[str]) -> list[str]:
    """Make the screenshots of one look, and return the names of those that could not be made."""
    failed = []
    context, schemes = look.context(chromium), _schemes(look, wanted)
    for name, shot in shots(found).items():
        files = {scheme: out / f"{name}-{look.name(scheme)}.png" for scheme in schemes}
        if all(part in file.stem for part in wanted for file in files.values()):
            try:
                _shoot(context, shot, files)
            except Error as error:
                print(f"{name} {look}: {error.message.splitlines()[0]}", file=sys.stderr)  # noqa: T201
                failed += [file.stem for file in files.values()]
    context.close()
    return failed


def _shoot(context: BrowserContext, shot: Shot, files: dict[Scheme, Path]) -> None:
    page = context.new_page()
    try:
        page.emulate_media(color_scheme=next(iter(files)))
        page.goto(shot.address)
        page.get_by_role("heading", level=1).first.wait_for(timeout=PATIENCE)
        settle(page)
        shot.act(page)
        _picture(page, files)
        size = page.viewport_size
        height = page.evaluate("document.querySelector('[data-testid=stMain]')?.scrollHeight ?? 0")
        if size is not None and height > size["height"]:
            page.set_viewport_size({"width": size["width"], "height": min(height, _TALLEST)})
            _picture(page, {scheme: file.with_stem(file.stem + "-full") for scheme, file in files.items()})
    finally:
        page.close()


def _picture(page: Page, files: dict[Scheme, Path]) -> None:
    """Take a picture of what is shown, by day and by night."""
    for scheme, file in files.items():
        page.emulate_media(color_scheme=scheme)
        settle(page)
        page.screenshot(path=file)


if __name__ == "__main__":
    main()
