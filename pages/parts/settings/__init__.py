"""Keys, servers, models and search on the settings page."""
