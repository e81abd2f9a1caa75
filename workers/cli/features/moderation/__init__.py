"""Moderation on the command line."""
