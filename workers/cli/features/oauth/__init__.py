"""Applications of others on the command line."""
