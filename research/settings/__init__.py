"""What is set up, and the small files of the user's own that say so."""

from research.settings.files import LONGEST_NAME, Name, UserFile, clean_name, disk_problem
from research.settings.settings import (
    MODEL_VARIABLES,
    AgreedTool,
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
    "LONGEST_NAME",
    "MODEL_VARIABLES",
    "AgreedTool",
    "KeptService",
    "KeptSettings",
    "Name",
    "Settings",
    "UserFile",
    "WebSearch",
    "clean_address",
    "clean_key",
    "clean_model",
    "clean_name",
    "disk_problem",
    "home_of",
    "is_address",
    "is_unencrypted",
    "kept_settings",
    "shown_address",
    "variables_set",
]
