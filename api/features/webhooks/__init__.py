"""Webhooks and inboxes in the API."""
