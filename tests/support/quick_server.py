"""A server on loopback that stops at once, where the original takes up to half a second."""

from __future__ import annotations

from pytest_httpserver import HTTPServer


class QuickServer(HTTPServer):
    """Asks fifty times a second whether to stop."""

    def thread_target(self) -> None:
        assert self.server is not None
        self.server.serve_forever(poll_interval=0.02)
