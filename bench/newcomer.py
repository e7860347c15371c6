"""A newcomer's path in real Chromium: from the command to a downloaded report, in clicks, keys and seconds.

python -m bench.newcomer [--set-up]

Nothing is set up: an empty home folder, no key, no document. With `--set-up` it is also measured how long it takes to
install everything into a new environment, as the first `make run` does; that needs the network.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from research.language import Language
from tests.support.serving import ROOT, browser, workbench

_PATIENCE = 120_000
_QUESTION = "What does Germany export, and to whom?"
_NAMES = {Language.EN: ("Download", "English"), Language.JA: ("ダウンロード", "Japanese")}
_FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_SIGN_OF_LIFE = "globalThis.signOfLife"
_WATCH = """() => document.addEventListener("pointerdown", () => {
  const seen = () => [...document.querySelectorAll("h1, button")]
  const told = () => seen().map((one) => one.innerText + one.disabled + one.ariaBusy).join()
  const began = globalThis.clicked = performance.now(), before = told()
  globalThis.signOfLife = undefined
  const look = () => {
    if (globalThis.clicked !== began) return
    if (told() === before) requestAnimationFrame(look)
    else globalThis.signOfLife = performance.now() - began
  }
  look()
}, { capture: true })"""
"""From a click, at each frame: whether the page has another title, or other buttons, than before, or one that says
it is at work."""
Signs = dict[str, bytes]
_FILES: Signs = {"PDF": b"%PDF-", "Markdown": b"---\n"}
"""The formats that are downloaded, and how their files begin."""


@dataclass
class Step:
    """What a step took of the newcomer."""

    name: str
    clicks: int = 0
    keys: int = 0
    seconds: float = 0.0
    is_part: bool = False
    """Whether it is a part of the step before, so that its seconds are counted there."""


@dataclass
class Newcomer:
    """Somebody who clicks and types, and waits until it shows."""

    page: Page
    steps: list[Step] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what happens inside as one step."""
        self.steps.append(Step(name))
        began = time.monotonic()
        yield
        self.steps[-1].seconds = time.monotonic() - began

    def click(self, place: Locator) -> None:
        """Click once."""
        place.click(timeout=_PATIENCE)
        self.steps[-1].clicks += 1

    def note(self, name: str, script: str) -> None:
        """Note the milliseconds that a script of the page gives as a part of the last step."""
        self.page.wait_for_function(f"Number.isFinite({script})", timeout=_PATIENCE)
        self.steps.append(Step(name, seconds=self.page.evaluate(script) / 1_000, is_part=True))

    def type(self, text: str) -> None:
        """Type, a key for each letter."""
        self.page.keyboard.type(text)
        self.steps[-1].keys += len(text)


def main() -> None:
    """Print what was counted."""
    if "--set-up" in sys.argv[1:]:
        print(f"Set-up, once: one command (`make run`), {_set_up():.0f} s to install everything.\n")
    with browser() as chromium:
        for language in Language:
            _print(f"The first report, {_NAMES[language][1]}", _walked(chromium, language, _sample))
        _print("A question of one's own, English", _walked(chromium, Language.EN, _own))


def _walked(chromium: Browser, language: Language, begin: Callable[[Newcomer], None]) -> list[Step]:
    """Walk the path once, in a home of its own, and return its steps."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        with workbench(Path(folder) / "home") as address:
            served = time.monotonic() - began
            locale = "ja-JP" if language is Language.JA else "en-GB"
            context = chromium.new_context(locale=locale, viewport={"width": 1440, "height": 900})
            someone = Newcomer(context.new_page())
            someone.steps.append(Step("`make run` until it answers", seconds=served))
            with someone.step("the page opens"):
                someone.page.goto(address)
                someone.page.locator(".st-key-first_run_start button").wait_for(timeout=_PATIENCE)
                someone.page.locator(".estimate").wait_for(timeout=_PATIENCE)
            someone.note("of it, until the first paint", _FIRST_PAINT)
            someone.page.evaluate(_WATCH)
            with someone.step("start, until the research is seen"):
                begin(someone)
                someone.page.wait_for_url("**/run?**", timeout=_PATIENCE)
            someone.note("of it, from the last click to the first sign of life", _SIGN_OF_LIFE)
            download = someone.page.get_by_role("button", name=_NAMES[language][0], exact=True)
            with someone.step("the research, until its report is read"):
                download.wait_for(timeout=_PATIENCE)
            _download(someone, download)
            context.close()
            return someone.steps


def _sample(someone: Newcomer) -> None:
    someone.click(someone.page.locator(".st-key-first_run_start button"))


def _own(someone: Newcomer) -> None:
    someone.click(someone.page.locator(".st-key-brief_question textarea"))
    someone.type(_QUESTION)
    someone.click(someone.page.locator(".st-key-start button"))


def _download(someone: Newcomer, menu: Locator) -> None:
    for place, (name, sign) in enumerate(_FILES.items()):
        with someone.step(f"download as {name}"):
            if place == 0:
                someone.click(menu)
            with someone.page.expect_download(timeout=_PATIENCE) as made:
                someone.click(someone.page.get_by_role("button", name=name, exact=True))
            content = Path(made.value.path()).read_bytes()
        if not content.startswith(sign):
            raise RuntimeError(f"What was downloaded as {name} is none.")


def _print(title: str, steps: list[Step]) -> None:
    print(f"### {title}\n\n| step | clicks | keys | seconds |\n| --- | ---: | ---: | ---: |")
    whole = [step for step in steps if not step.is_part]
    total = Step("**all**", sum(s.clicks for s in whole), sum(s.keys for s in whole), sum(s.seconds for s in whole))
    for step in (*steps, total):
        print(f"| {step.name} | {step.clicks} | {step.keys} | {step.seconds:.{2 if step.is_part else 1}f} |")
    print()


def _set_up() -> float:
    """Install the package with all that `make run` installs into a new environment; return the seconds it took."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder) / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--upgrade", "pip"], check=True)
        subprocess.run([*pip, "--editable", ".[all]"], cwd=ROOT, check=True)
        return time.monotonic() - began


if __name__ == "__main__":
    main()
