"""What `make screenshots` shows."""
