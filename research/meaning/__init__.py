"""Texts compared by meaning: one small multilingual embedding model, its vectors kept on disk."""

from research.meaning.embedder import Embedder as Embedder, Vectors as Vectors, kept_embedder as kept_embedder
