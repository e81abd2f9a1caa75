"""The features of the service: each is a folder here, and one line in `registry`."""
