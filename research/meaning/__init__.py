"""Texts compared by meaning: one small multilingual embedding model, its vectors kept on disk."""

from research.meaning.embedder import Embedder as Embedder
from research.meaning.embedder import Vectors as Vectors
from research.meaning.embedder import kept_embedder as kept_embedder
