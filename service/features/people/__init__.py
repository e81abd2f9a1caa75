"""People: what a player shows of itself, whom it follows or blocks, invitations to matches, and other devices of its own."""
