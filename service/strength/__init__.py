"""How strong players and bots are, by what they have won and lost."""
