"""Webhooks in the API."""
