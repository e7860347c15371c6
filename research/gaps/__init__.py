"""Search driven by what is missing: four pure functions with typed results, each usable by itself.

`queries` makes queries, `accumulator` joins results, `identifier` finds what is missing, `iterations` says whether
to go on. They share `wording` (key words and their translations), `points` (what is wanted, as concepts) and `alike`
(words that say nearly the same).
"""
