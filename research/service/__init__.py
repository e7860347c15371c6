"""The engine for other programs: who may ask, and what they work with.

`research.service.api` answers over HTTP, `research.service.mcp` chat tools; each needs packages of its own.
"""

# fmt: off
from research.service.desks import Desks, Door, add_token, kept_tokens, remove_token
