"""The puzzles of the day in the API."""
