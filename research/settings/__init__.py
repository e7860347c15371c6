"""What is set up, and the small files of the user's own that say so."""

# fmt: off
from research.settings.files import (
    LONGEST_NAME, McpServer, Name, UserFile, clean_name, disk_problem, mcp_servers, servers_file, write_whole,
)
from research.settings.settings import (
    CAP_VARIABLE, CREDIT_VARIABLE, EMBEDDINGS, FASTEMBED, MODEL_VARIABLES, OPENAI_ADDRESS, PROVIDER_VARIABLE, TAVILY,
    TAVILY_ADDRESS, TAVILY_USD, AgreedTool, CurrentSettings, KeptService, KeptSettings, Settings, WebSearch,
    account_named, account_of, clean_address, clean_key, clean_model, home_of_account, is_this_computer,
    is_unencrypted, kept_settings, key_and_address, prepared_home, secrets_of_all, shown_address, variables_set,
)
