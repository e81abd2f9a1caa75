"""Lessons: a game's guided first match."""
