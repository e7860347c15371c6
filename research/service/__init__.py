"""The engine for other programs, over HTTP: who may ask, and what is answered."""

# fmt: off
from research.service.api import make_app, serve
from research.service.tokens import add_token, kept_tokens, remove_token
