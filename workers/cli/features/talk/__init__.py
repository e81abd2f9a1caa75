"""Talk on the command line."""
