"""Which way of asking is best: a grid of ways over questions with the facts that a good answer holds."""

# fmt: off
from research.experiments.experiment import KEPT, Experiment, Results, experiment, load_results, read, results_in
from research.experiments.questions import (
    CITATION, READY, SETS, Asked, Fact, Filing, Held, Passage, Question, deepresearch_scores, filings, first_lines,
    folded, hotpot, lines_of, musique, questions, says_figure,
)
from research.experiments.ratings import (
    WAY, Better, Docket, Judge, Pair, Ratings, agreement, concord, docket, have_judged,
    judgements_in, judges, pairs, preferences, rate, ratings_in,
)
