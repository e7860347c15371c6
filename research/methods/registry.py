"""The methods that there are."""

from __future__ import annotations

from collections.abc import Mapping

from research.methods import chained, gap_driven, noted, outlined, supervised
from research.methods.method import Research
from research.methods.names import MethodName

METHODS: Mapping[MethodName, Research] = {
    MethodName.OUTLINED: outlined.research,
    MethodName.CHAINED: chained.research,
    MethodName.GAP_DRIVEN: gap_driven.research,
    MethodName.SUPERVISED: supervised.research,
    MethodName.NOTED: noted.research,
}
