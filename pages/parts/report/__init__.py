"""A run that has ended: its report, sources, figures, contradictions, follow-ups and downloads."""
