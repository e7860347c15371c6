"""The report as one HTML file that needs nothing else: readable offline, on a telephone, and printable."""

from research.export.html.page import to_html

__all__ = ["to_html"]
