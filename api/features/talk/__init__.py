"""Talk in the API."""
