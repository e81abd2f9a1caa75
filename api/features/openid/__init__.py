"""Signing in by OpenID Connect in the API."""
