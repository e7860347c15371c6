"""How near two texts are in meaning, in whichever language each is written."""

from research.meaning.embedder import Embedder, Vectors, kept_embedder

__all__ = ["Embedder", "Vectors", "kept_embedder"]
