"""Webhooks: thin messages of public facts, signed and sent to the addresses that players have named.

`management.py` is where owners manage them, `outbox.py` turns events into deliveries, `dispatcher.py` sends these.
"""
