"""Which way of asking is best: a grid of ways over questions with the facts that a good answer holds."""

from research.experiments.experiment import (
    Experiment as Experiment,
    Results as Results,
    experiment as experiment,
    read as read,
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
from research.experiments.sets import (
    SETS as SETS,
    Asked as Asked,
    Filing as Filing,
    Passage as Passage,
    filings as filings,
    hotpot as hotpot,
    musique as musique,
)
