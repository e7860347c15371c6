"""Which sections each lens gives a report."""

from __future__ import annotations

from research.analysts.extractive.lenses_business import COMPANY, COMPETITORS, MARKET, RISK
from research.analysts.extractive.lenses_subject import COUNTRY, LITERATURE, OVERVIEW, POLICY, TECHNOLOGY
from research.analysts.extractive.section import Section
from research.vocabulary import Scope

LENSES: dict[Scope, tuple[Section, ...]] = {
    Scope.OVERVIEW: OVERVIEW,
    Scope.MARKET: MARKET,
    Scope.COMPANY: COMPANY,
    Scope.COMPETITORS: COMPETITORS,
    Scope.TECHNOLOGY: TECHNOLOGY,
    Scope.POLICY: POLICY,
    Scope.COUNTRY: COUNTRY,
    Scope.LITERATURE: LITERATURE,
    Scope.RISK: RISK,
}
