"""Search driven by what is missing: four pure functions with typed results, each usable by itself.

`queries` makes queries, `accumulator` joins results, `identifier` finds what is missing, `iterations` says whether
to go on.
"""
