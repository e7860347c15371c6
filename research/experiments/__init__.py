"""Which way of asking is best: a grid of ways over questions with the facts that a good answer holds."""

# fmt: off
from research.experiments.experiment import Experiment, experiment, read
from research.experiments.judge import Docket, Judge, Judgement, docket, have_judged, judgements_in, judges
from research.experiments.questions import (
    CITATION, READY, Fact, Held, Question, first_lines, folded, lines_of, questions, says_figure,
)
from research.experiments.ratings import (
    WAY, Better, Concord, Pair, Ratings, agreement, concord, pairs, preferences, rate, ratings_in,
)
from research.experiments.results import KEPT, Results, load_results, results_in
from research.experiments.sets import SETS, Asked, Filing, Passage, deepresearch_scores, filings, hotpot, musique
