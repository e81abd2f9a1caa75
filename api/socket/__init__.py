"""The two-way socket: subscriptions, commands and views of many matches over one connection (docs/socket.md)."""
