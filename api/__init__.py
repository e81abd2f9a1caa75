"""The HTTP interface, and access control."""
