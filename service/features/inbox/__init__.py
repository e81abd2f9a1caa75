"""Inboxes: what happens in all matches of a player, read from the logs once, for who listens and for features that follow."""
