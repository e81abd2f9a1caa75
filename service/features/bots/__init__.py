"""Bots: their turns, hints, and matches among themselves."""
