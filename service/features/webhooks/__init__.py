"""Webhooks and inboxes: thin messages of public facts, sent to the addresses that players have named, or kept for who listens.

`player_webhooks.py` is where owners manage webhooks, `outbox.py` turns events into deliveries and notices, `dispatcher.py` sends
deliveries, `inboxes.py` reads notices.
"""
