"""Runs: kept in a store, carried out by a runner, followed from anywhere."""
