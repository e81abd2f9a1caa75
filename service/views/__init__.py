"""What a viewer may see of matches: views, feeds, lists and proofs of cards. Nothing here changes a match."""
