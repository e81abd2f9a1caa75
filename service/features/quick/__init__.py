"""Quick matches: a player is put at a table with others who want the same, and bots fill it when time is up."""
