"""What the page New research is made of: the form of a brief, templates, documents, the estimate."""
