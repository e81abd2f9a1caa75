"""What the Python client says otherwise than the contract, and the heads of the modules that `tools.python_client` makes."""

from __future__ import annotations

from collections.abc import Mapping

LEFT_OUT: Mapping[str, str] = {
    "getLiveness": "asked by whatever starts and stops processes",
    "getReadiness": "asked by whatever starts and stops processes",
    "getMetrics": "asked by Prometheus",
    "getOpenapi": "asked by generators of clients",
    "getAsyncapi": "asked by generators of clients",
    "getDocs": "a page for people",
    "streamTalk": "`talk` waits for the next lines as well, and goes on by itself",
    "registerApplication": "asked by libraries for OAuth",
    "getAuthorization": "asked by the page that asks a player",
    "decideAuthorization": "asked by the page that asks a player",
    "exchangeToken": "asked by libraries for OAuth",
    "endAuthorization": "asked by libraries for OAuth",
    "getOembed": "asked by sites that somebody posts a link on",
}
"""Operations without a method, and why."""
WRAPPED = {
    *("createPlayer", "getFeed", "getMe", "getPlayer", "getTournament", "giveCommand", "joinTournament", "listMatches"),
    *("listMyMatches", "listMyRecords", "listRecords", "openMatch", "openTournament"),
    *("startMatch", "streamFeed", "streamInbox", "takeSeat"),
}
"""Operations whose method is written by hand, over a call that is made; all others are methods as they are."""
METHODS: Mapping[str, str] = {
    "abortMatch": "abort",
    "adjudicateMatch": "adjudicate",
    "agreeRematch": "rematch",
    "createSeatToken": "seat_token",
    "leaveSeat": "leave",
    "openWhatIf": "what_if",
    "renameMe": "rename",
    "voidMatch": "void",
}
"""Names of methods that are not those of the operations without `get` or `list`."""
SHAPES: Mapping[str, str] = {
    "BotCharacter": "Character",
    "BrowserFacts": "NoticeBrowser",
    "CardFace": "Card",
    "ChairView": "Chair",
    "DailySheet": "Daily",
    "DeviceCodeIssued": "IssuedDeviceCode",
    "FeedEntry": "Item",
    "GameCommand": "Command",
    "LessonSheet": "Lesson",
    "MailFacts": "NoticeMail",
    "MessageText": "RuleText",
    "MoveAdvice": "Advised",
    "NoticeFacts": "Notices",
    "PlacingRequest": "Placing",
    "PlayerIssued": "SignedUp",
    "ProofList": "Proofs",
    "PuzzleSheet": "Puzzle",
    "RefusedCommand": "Refused",
    "TokenIssued": "IssuedToken",
    "WebhookIssued": "IssuedWebhook",
}
"""Names of shapes that are not those of the schemas without `Facts`. Of two schemas with one name, the larger one is made."""
FIELDS: Mapping[str, Mapping[str, str]] = {
    "Consistency": {"from": "earlier", "from_root": "earlier_root", "to": "later", "to_root": "later_root"},
    "getLogConsistency": {"from": "earlier", "to": "later"},
    "": {"from": "first", "wait": "wait_seconds"},
}
"""Names of fields and arguments that are not those of the contract: in a schema or an operation, and in all others."""
OPEN: Mapping[str, str] = {
    "changeProfile": "changes",
    "changeWebhook": "changes",
    "declareProgram": "statement",
    "openMatch": "settings",
    "openTournament": "wish",
}
"""Operations whose body is whatever the caller names: fields that only a newer service knows pass too."""
BY_POSITION: Mapping[str, int] = {"createToken": 2, "getLogConsistency": 2}
"""How many optional arguments may be given by position, where it is not the first parameter of a query alone."""
MIXED_IN: Mapping[str, str] = {"InboxItem": "AboutMatch"}
"""Shapes with properties, which are written by hand."""
UNTOLD = {"MatchFacts": {"links"}}
"""Fields that the client has methods for."""
NUMBER = "^(0|[1-9][0-9]{0,8})$"
"""The pattern of a number in a path."""

MADE = "Made by `make client`: change what it is made from instead."
SHAPES_HEAD = f'''"""Shapes of the service's answers. Fields added by a newer service are ignored; game data is plain data.

What a service leaves out is None, false or empty if it can be. {MADE}
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from .inbox import {", ".join(MIXED_IN.values())}

Plain: TypeAlias = Any
"""Any JSON value; its schema is the game's, not the client's."""
Command: TypeAlias = dict[str, Plain]
"""One command, with its `type`."""


'''
REQUESTS_HEAD = f'''"""The operations of the contract. {MADE}"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from types import NoneType

from ..calls import Call, Shape, fresh_key
from ..shapes import Command, Plain, {{}}


class AsyncRequests(ABC):
    """A method for each operation, in the order of the contract; for some only the call, which the client asks for by hand."""

    @abstractmethod
    async def _ask(self, call: Call[Shape]) -> Shape:
        """Send a call, again if it may be, and return what its answer has."""

'''
