"""A run under way: its plan, its lanes, its steering, and the state that all of it is drawn from."""
