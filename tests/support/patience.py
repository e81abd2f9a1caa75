"""How long tests wait for what must come."""

PATIENCE_SECONDS = 180.0
"""Only what hangs takes longer, on however busy a machine. What is quick, and how quick, is measured in bench/."""
