"""Matches of all games under random kills, and what was acknowledged compared with what is there afterwards: `make soak`."""
