"""What the program is made of besides itself: `python -m bench.licences` lists every package with version and licence.

`python -m bench.licences --constraints` writes `constraints.txt`: below which version of each package an installation
stays, so that a fresh machine gets what was tested. Write it anew when the tests pass with newer ones.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
_ITSELF = "research-workbench"
_HEAD = """\
# The first version of each package that was not tested: `make` installs what is below. `python -m bench.licences
# --constraints` writes this file from what is installed.
"""


def packages() -> dict[str, Distribution]:
    """Return every installed package that the program or its tests need, by its name in the usual form."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, Distribution] = {}
    waiting = [Requirement(one) for one in project["dependencies"]]
    waiting += [Requirement(one) for extra in project["optional-dependencies"].values() for one in extra]
    seen: set[tuple[str, str]] = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name == _ITSELF:
            continue
        for extra in ("", *wanted.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            try:
                found[name] = distribution(name)
            except PackageNotFoundError:
                continue  # a choice of another system, or of an extra that is not installed
            waiting += [one for one in map(Requirement, found[name].requires or ()) if _is_needed(one, extra)]
    return dict(sorted(found.items()))


def _is_needed(one: Requirement, extra: str) -> bool:
    return one.marker is None or one.marker.evaluate({"extra": extra})


def licence(package: Distribution) -> str:
    """Return the licence of a package as it states it: its expression, classifiers, words, or file."""
    about = package.metadata
    classifiers = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier", []) if one.startswith("License ::")]
    words = " ".join((about.get("License") or "").split())
    return about.get("License-Expression") or ", ".join(classifiers) or words[:80] or _titled(package) or "not stated"


def _titled(package: Distribution) -> str:
    """Return the first line of a package's licence file."""
    files = [one for one in package.files or () if "licenses" in one.parts and one.name.upper().startswith("LICEN")]
    return next((line.strip() for one in files for line in one.read_text().splitlines() if line.strip()), "")[:80]


def bound(version: str) -> str:
    """Return the version from which a package may behave differently: the next major, or before 1.0 the next minor."""
    release = (*Version(version).release, 0, 0)
    return str(release[0] + 1) if release[0] else f"0.{release[1] + 1}"


def constraints() -> Iterator[str]:
    """Yield the line of each package."""
    for name, package in packages().items():
        yield f"{name}<{bound(package.version)}"


def main() -> None:
    """List the licences, or write the constraints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--constraints", action="store_true", help="write constraints.txt")
    if parser.parse_args().constraints:
        CONSTRAINTS.write_text(_HEAD + "".join(f"{line}\n" for line in constraints()), encoding="utf-8")
        return
    for name, package in packages().items():
        print(f"{name:36} {package.version:16} {licence(package)}")


if __name__ == "__main__":
    main()
