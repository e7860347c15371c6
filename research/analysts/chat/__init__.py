"""The analyst that asks chat models, and how settings name models and who serves them.

Clients of models take seconds to load: pages and commands read settings without any, and what asks models is imported
from its module, `analyst` or `models`, when it is first needed.
"""

# fmt: off
from research.analysts.chat.providers import ANTHROPIC, OPENAI, ChatProvider, ModelName, ModelRequest, chat_providers
