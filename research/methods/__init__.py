"""The methods of research. A method says who plans and when it stops; everything else is shared.

To add one: name it in `names.py`, write `research(context)` in a file of its own, and list it in `registry.py`.
"""
