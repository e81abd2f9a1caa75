"""The deal of the day in the API."""
