"""The suites over all games, with what they need. The games are chosen before this is imported (`testing.games`)."""
