"""What follows the end of a match: its leaf in the transparency log, then one archived blob."""
