"""Finished matches as records that stand for themselves, and their verification."""
