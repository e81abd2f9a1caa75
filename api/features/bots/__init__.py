"""Bots in the API."""
