"""The shapes of the API: `common.py` has what all share, the others one resource each."""
