"""A model that answers as a well-behaved one would, on pumps."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.support.openai_server import Calls, Json, Text

PAGE = "The pump market grew by 4.2% in 2025. Water utilities bought most of the pumps."


class Model:
    """Answers as a well-behaved model would: one topic, one search, every quote kept and cited."""

    def __init__(self) -> None:
        self.decided: list[str] = []

    def __call__(self, body: dict[str, Any]) -> Any:
        text = json.dumps(body, ensure_ascii=False)
        offered = [tool["function"]["name"] for tool in body.get("tools", [])]
        schema = (body.get("response_format") or {}).get("json_schema", {}).get("name")
        if schema == "PageReport":
            return Json({"summary": "The market grew.", "key_excerpts": [PAGE.split(". ", maxsplit=1)[0] + "."]})
        if schema == "CompressionAnswer":
            return Json({"keep": sorted(set(re.findall(r"E\d+", text))), "notes": "Covered."})
        for role, action, value in (
            ("supervisor", "ConductResearch", "The pump market."),
            ("researcher", "search", ["pump market"]),
        ):
            if action in offered and role not in self.decided:
                self.decided.append(role)
                return Calls((action, {"value": value}))
        if offered:
            return Calls(("ResearchComplete", {"reason": "Enough."}))
        cited = "".join(f"[{name}]" for name in sorted(set(re.findall(r"\bE\d+\b", text))))
        return Text(f"# Pumps\n\nThe pump market grew by 4.2% in 2025 {cited}.\n")
