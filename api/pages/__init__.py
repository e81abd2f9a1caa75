"""Web pages beside the API."""
