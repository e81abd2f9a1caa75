"""The suites over all games, with what they need. The games are chosen before this is imported (`testing.games`)."""

CASE_GROUP = "case "
"""What the names of groups of tests begin with that share a case."""
