"""Quick matches in the API."""
