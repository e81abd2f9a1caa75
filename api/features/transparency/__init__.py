"""The transparency log in the API."""
