"""Fair dealing: all chance of a match out of one secret, and commitments to what was dealt."""
