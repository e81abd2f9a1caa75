"""Records in the API."""
