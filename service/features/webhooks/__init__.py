"""Webhooks: thin messages of public facts, sent to the addresses that players have named.

`player_webhooks.py` is where owners manage webhooks, `deliveries.py` makes deliveries of messages, `dispatcher.py` sends them.
"""
