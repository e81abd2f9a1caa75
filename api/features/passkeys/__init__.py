"""Passkeys in the API."""
