"""Ratings of players and bots, from the results in the transparency log, and leaderboards."""
