"""What is installed: bounded, its licences known, and nothing for `make run` that only developers need."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bench.licences import licence, packages

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONSTRAINTS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def of_extra(name: str) -> set[str]:
    """The names that an extra brings, with those of the extras that it names."""
    found: set[str] = set()
    for one in map(Requirement, PROJECT["optional-dependencies"][name]):
        if one.name == PROJECT["name"]:
            found |= {brought for extra in one.extras for brought in of_extra(extra)}
        else:
            found.add(canonicalize_name(one.name))
    return found


def test_every_package_that_is_asked_for_has_an_upper_bound_that_its_tested_version_keeps() -> None:
    bounds = {one.name: one.specifier for one in CONSTRAINTS}
    assert all(one.operator in ("<", "==") for specifier in bounds.values() for one in specifier)
    asked = {canonicalize_name(Requirement(one).name) for one in PROJECT["dependencies"]}
    asked = asked.union(*map(of_extra, PROJECT["optional-dependencies"]))
    assert (asked | packages().keys()) - bounds.keys() == set()
    assert {name for name, one in packages().items() if name in bounds and one.version not in bounds[name]} == set()


def test_the_constraints_name_no_host() -> None:
    assert not any(one.url or one.marker or one.extras for one in CONSTRAINTS)


def test_the_licence_of_every_package_is_known() -> None:
    unknown = {name for name, one in packages().items() if licence(one) == "not stated"}
    assert unknown == set()


def test_the_workbench_is_installed_without_the_tools_of_notebooks_and_of_developers() -> None:
    assert not of_extra("all") & {"jupyterlab", "ipykernel", "pytest", "mypy", "pypdf"}
    assert of_extra("dev") >= {"jupyterlab", "ipykernel", "nbclient"}
