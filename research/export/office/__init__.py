"""What Word and PowerPoint files share: clean text, safe addresses, colours, measured text, native charts."""
