"""Whether a report made without any model answers what was asked: 80 questions with the facts that a good answer holds.

The questions stand in `questions/`, where they were written down before anything was changed. `documents.yaml` names
real documents, which are fetched and never stored here.
"""
