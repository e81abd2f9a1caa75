"""How it is asked for: the HTTP interface, and who may do what."""
