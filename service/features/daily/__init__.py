"""The deal of the day: the same cards against the same bots for all who play it, one try each, and a ranking of its own."""
