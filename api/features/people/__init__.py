"""People in the API."""
