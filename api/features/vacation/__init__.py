"""Vacation in the API."""
