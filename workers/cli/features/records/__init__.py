"""Records of matches on the command line."""
