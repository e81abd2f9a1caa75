"""A client for any Tafelrunde service, blocking or asynchronous, over httpx.

    with Client("http://127.0.0.1:8000") as guest:
        guest.sign_up("Ada")
        match = guest.open_match("coup", 2, bots={1: "honest"}, start=True)
        for item in guest.follow(match.match):
            ...

It knows the service's paths and shapes, but no game: commands, events, options and tables are plain data.
"""

from .blocking.client import Client
from .concurrent.client import AsyncClient
from .problems import ApiError, Problem, Unreachable
from .shapes import InboxItem, Item, Match, Question, Receipt, View
from .sse import Reset

__all__ = [
    "ApiError",
    "AsyncClient",
    "Client",
    "InboxItem",
    "Item",
    "Match",
    "Problem",
    "Question",
    "Receipt",
    "Reset",
    "Unreachable",
    "View",
]
