"""Questions about a finished report: answered from its evidence, or by a small search that joins it."""
