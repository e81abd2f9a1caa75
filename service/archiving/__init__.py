"""What becomes of a finished match: its leaf in the log over all matches, then one archived blob."""
