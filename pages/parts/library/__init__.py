"""The runs of the library: to find, to name, to pass on, to compare."""
