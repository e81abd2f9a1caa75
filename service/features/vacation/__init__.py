"""Vacation: for some days a year, slow matches wait for a player who is away."""
