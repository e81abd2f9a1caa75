"""Who plays: accounts with their tokens, and what each may ask for in a minute."""
