"""Lessons in the API."""
