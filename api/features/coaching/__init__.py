"""Coaching in the API."""
