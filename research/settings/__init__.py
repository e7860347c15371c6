"""What is set up, and the small files of the user's own that say so."""

from research.settings.files import (
    LONGEST_NAME as LONGEST_NAME,
    Name as Name,
    UserFile as UserFile,
    clean_name as clean_name,
    disk_problem as disk_problem,
    write_whole as write_whole,
)
from research.settings.settings import (
    CREDIT_VARIABLE as CREDIT_VARIABLE,
    FASTEMBED as FASTEMBED,
    MODEL_VARIABLES as MODEL_VARIABLES,
    TAVILY_USD as TAVILY_USD,
    AgreedTool as AgreedTool,
    KeptService as KeptService,
    KeptSettings as KeptSettings,
    Settings as Settings,
    WebSearch as WebSearch,
    clean_address as clean_address,
    clean_key as clean_key,
    clean_model as clean_model,
    home_of as home_of,
    home_of_account as home_of_account,
    is_address as is_address,
    is_this_computer as is_this_computer,
    is_unencrypted as is_unencrypted,
    kept_settings as kept_settings,
    shown_address as shown_address,
    variables_set as variables_set,
)
