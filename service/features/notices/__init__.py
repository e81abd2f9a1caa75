"""Notices: what players hear by push or mail while no page is open.

`choices.py` is where players say what they want to hear, and where; `planner.py` turns messages into planned notices,
`postman.py` sends those that are still of use, and `presence.py` keeps who is there.
"""
