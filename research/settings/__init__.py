"""What is set up, and the small files of the user's own that say so.

Settings of a process stand in `settings`, the store of such files in `files`. `sites`, `templates`, `mcp_servers` and
`checks` are imported by themselves: a run that needs none of them does not load them.
"""

from research.settings.files import disk_problem
from research.settings.settings import (
    MODEL_VARIABLES,
    KeptService,
    KeptSettings,
    Settings,
    WebSearch,
    clean_address,
    clean_key,
    clean_model,
    home_of,
    is_address,
    is_unencrypted,
    kept_settings,
    shown_address,
    variables_set,
)

__all__ = [
    "MODEL_VARIABLES",
    "KeptService",
    "KeptSettings",
    "Settings",
    "WebSearch",
    "clean_address",
    "clean_key",
    "clean_model",
    "disk_problem",
    "home_of",
    "is_address",
    "is_unencrypted",
    "kept_settings",
    "shown_address",
    "variables_set",
]
