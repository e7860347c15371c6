"""Texts compared by meaning: one small multilingual embedding model, its vectors kept on disk."""

from research.meaning.embedder import Embedder, Vectors, kept_embedder

__all__ = [
    "Embedder",
    "Vectors",
    "kept_embedder",
]
