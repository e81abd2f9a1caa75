"""The transparency log on the command line."""
