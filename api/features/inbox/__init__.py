"""Inboxes in the API."""
