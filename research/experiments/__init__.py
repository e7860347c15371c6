"""Which way of asking is best: a grid of ways over questions with the facts that a good answer holds."""

from research.experiments.experiment import (
    Experiment as Experiment,
    experiment as experiment,
    read as read,
)
from research.experiments.judge import (
    Docket as Docket,
    Judge as Judge,
    Judgement as Judgement,
    docket as docket,
    have_judged as have_judged,
    judgements_in as judgements_in,
    judges as judges,
)
from research.experiments.questions import (
    CITATION as CITATION,
    READY as READY,
    Fact as Fact,
    Held as Held,
    Question as Question,
    first_lines as first_lines,
    folded as folded,
    lines_of as lines_of,
    questions as questions,
    says_figure as says_figure,
)
from research.experiments.ratings import (
    WAY as WAY,
    Better as Better,
    Concord as Concord,
    Pair as Pair,
    Ratings as Ratings,
    agreement as agreement,
    concord as concord,
    pairs as pairs,
    preferences as preferences,
    rate as rate,
    ratings_in as ratings_in,
)
from research.experiments.results import (
    KEPT as KEPT,
    Results as Results,
    load_results as load_results,
    results_in as results_in,
)
from research.experiments.sets import (
    SETS as SETS,
    Asked as Asked,
    Filing as Filing,
    Passage as Passage,
    filings as filings,
    hotpot as hotpot,
    musique as musique,
)
