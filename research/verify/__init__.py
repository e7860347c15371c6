"""What stands behind a sentence, and where sources contradict each other, found out by rules from the stored pages."""
