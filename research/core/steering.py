"""What the user may ask of a run that is under way: typed, so that it can be stored and reach another process."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, field_validator

from research.core.outline import Outline

_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class _Steer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FinishNow(_Steer):
    """Stop researching and write the report from what there is."""

    kind: Literal["finish_now"] = "finish_now"


class StopNow(_Steer):
    """Stop at once; the report is composed by rule."""

    kind: Literal["stop_now"] = "stop_now"


class HoldPlan(_Steer):
    """Let the plan wait: somebody is editing it."""

    kind: Literal["hold_plan"] = "hold_plan"


class BeginWithPlan(_Steer):
    """Begin research with the plan, or with `outline` in its place."""

    kind: Literal["begin_with_plan"] = "begin_with_plan"
    outline: Outline | None = None


class AddQuestion(_Steer):
    """Research one more question, after the topics that there are."""

    kind: Literal["add_question"] = "add_question"
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]


class DropTopic(_Steer):
    """End a researcher's work and leave its topic out of the report."""

    kind: Literal["drop_topic"] = "drop_topic"
    lane: _Name


class BlockSite(_Steer):
    """Read no more pages of a site, or of a collection, and leave what was found there out of the report."""

    kind: Literal["block_site"] = "block_site"
    site: _Name
    """A host name, which stands for those below it too, or the name of a collection."""

    @field_validator("site")
    @classmethod
    def _bare(cls, value: str) -> str:
        return value.rpartition("://")[2].partition("/")[0].casefold().removeprefix("www.") or value


PlanSteer = HoldPlan | BeginWithPlan
"""What concerns a plan that waits."""
BookSteer = AddQuestion | DropTopic | BlockSite
"""What changes what is researched."""
Steer = Annotated[FinishNow | StopNow | PlanSteer | BookSteer, Field(discriminator="kind")]

_adapter: TypeAdapter[Steer] = TypeAdapter(Steer)


def parse_steer(body: str | bytes) -> Steer:
    """Read what `model_dump_json` wrote.

    Raises:
        pydantic.ValidationError: this version does not know it.
    """
    return _adapter.validate_json(body)
