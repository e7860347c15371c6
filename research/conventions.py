"""What the text of every report has in common, whoever writes it and in whichever format it is set."""

from __future__ import annotations

from research.language import Bilingual

KEY_FINDINGS = Bilingual("Key findings", "主な事実")
"""The heading of the short list of what matters most, of a report or of a section of its plan."""
RECENT_MARK = "†"
"""Stands behind a citation of information of the last three months."""
