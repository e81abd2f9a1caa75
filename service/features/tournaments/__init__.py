"""Small tournaments, round robin and Swiss: each a stream of facts, whose rounds are ordinary matches."""
