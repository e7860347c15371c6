"""Reports as PowerPoint files: one message a slide, with the full text in the speaker's notes."""

from research.export.pptx.writer import to_pptx

__all__ = ["to_pptx"]
