"""OAuth in the API."""
