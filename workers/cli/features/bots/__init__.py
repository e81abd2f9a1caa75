"""Bots on the command line."""
