"""A run while it is under way: its plan, its researchers, steering, writing; and runs that broke off or failed."""

from __future__ import annotations

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Shot, click

_TIMELINE = "[class*=st-key-timeline_] summary"


def shots(homes: Homes) -> dict[str, Shot]:
    """Return what there is to see of runs that are under way, or ended badly."""
    run = homes.run
    return {
        "plan": Shot(run("plan")),
        "plan-edit": Shot(run("plan"), click(".st-key-plan_edit button")),
        "live": Shot(run("live")),
        "live-source": Shot(run("live"), click(".reading .title")),
        "live-block-site": Shot(run("live"), click(".reading .steer")),
        "live-drop-topic": Shot(run("live"), click(".lane-tools .steer")),
        "live-timeline": Shot(run("live"), click(_TIMELINE)),
        "live-steered": Shot(run("steered")),
        "live-fifty": Shot(run("fifty")),
        "live-fifty-open": Shot(run("fifty"), click("details.lane summary", 2)),
        "live-fifty-timeline": Shot(run("fifty"), click(_TIMELINE)),
        "writing": Shot(run("writing")),
        "partial": Shot(run("partial")),
        "broken": Shot(run("broken")),
        "failed": Shot(run("failed")),
        "unknown": Shot(homes.page("run") + "&id=none"),
    }
