"""Pages for people, beside the API."""
