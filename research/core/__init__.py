"""What every part of the engine stands on: the facts of a run, and the state that is folded from them."""
