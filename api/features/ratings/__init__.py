"""Leaderboards."""
