"""What players of Meister Coup play, as the play-outs of `search-large` expect it of all seats.

These numbers come from a port of the bots that is not kept (decision 21).
"""

from __future__ import annotations

from typing import Final

from .policy import read_tables

PLAYS: Final = read_tables("""
-0.89 1.71 1.05 2.46 -0.04 0.00 -0.89 0.00 0.29 0.00 0.00 0.00 0.00 0.00 0.00

-2.62 2.04 -0.06 1.11 -1.06 -0.49 0.86 0.31 0.33 0.27 -0.26 -0.26 0.67 0.15 -0.52

-3.45 2.41 -0.11 1.67 -1.01 -0.55 1.12 0.89 0.40 0.09 -0.29 -0.12 1.25 0.24 0.11

-3.79 3.04 -0.71 1.33 -0.68 0.39 -0.34 1.47 0.29 0.03 -0.22 -0.49 1.13 0.50 -0.33

-3.14 1.68 -1.65 0.00 -0.69 -0.11 0.35 1.10 1.69 0.37 -0.10 1.29 0.42 1.18 -0.42
""")
"""A row of weights for each kind of decision: who leads, and whom three or more, two, one or no seats follow."""
