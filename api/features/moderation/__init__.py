"""Moderation in the API."""
