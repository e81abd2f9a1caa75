"""The shapes on the wire: `bodies.py` what all share, and one module each for players, matches, play and games."""
