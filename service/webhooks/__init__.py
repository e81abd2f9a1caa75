"""Webhooks: thin messages of public facts, signed and sent to the addresses that players have named.

`desk.py` is where owners manage them, `herald.py` turns news of matches into deliveries, `courier.py` sends these.
"""
