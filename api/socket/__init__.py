"""The two-way socket: subscriptions, commands and views of any number of matches over one connection."""
