"""Research by chat models: one for each role, OpenAI's or any other.

Needs the extra `openai`; other providers need LangChain's package for them.
"""

from research.analysts.chat.analyst import ChatAnalyst
from research.analysts.chat.models import RoleModels, build_role_models
from research.analysts.protocol import ProblemHandler

__all__ = ["ChatAnalyst", "ProblemHandler", "RoleModels", "build_role_models"]
