"""The command line: its arguments, its display, the folder that it writes."""
