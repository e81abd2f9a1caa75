"""How strong players and bots are, from the results in the log over all matches."""
