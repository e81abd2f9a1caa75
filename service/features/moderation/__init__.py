"""Moderation: what operators decide about lines of talk and about players, for how long and why."""
