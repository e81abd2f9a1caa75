"""What binds a tournament before anyone joins: the secret of its pairings, that of its deals, and the ids of its matches.

What a stranger needs to check it is docs/tournaments.md.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from ....domain.match import MatchId
from .pairing import MOST_ROUNDS

MOST_TABLES = 32
"""How many tables a round has at most: 64 entrants in pairs."""


def draw_commitment(tournament: str, secret: str) -> str:
    """Return what is published about the secret of the rounds when a tournament is opened, in hex."""
    return hashlib.sha256(f"tafelrunde/tournament-draw/1|{tournament}|{secret}".encode()).hexdigest()


def deal_commitment(tournament: str, secret: str) -> str:
    """Return what is published about the secret of the deals when a tournament is opened, in hex."""
    return hashlib.sha256(f"tafelrunde/tournament-deal/1|{tournament}|{secret}".encode()).hexdigest()


def secret_of_table(tournament: str, secret: str, round_number: int, table: int) -> str:
    """Return the secret of a table's match, in hex. One that is known tells nothing of the others."""
    message = f"tafelrunde/tournament-table/1|{tournament}|{round_number}|{table}".encode()
    return hmac.digest(bytes.fromhex(secret), message, "sha256").hex()


def match_of_table(tournament: str, round_number: int, table: int) -> MatchId:
    """Return the id of a table's match; rounds count from 1, tables from 0.

    Every draw takes this id, so it follows from public values alone: otherwise the service could choose among ids, and so among
    deals, once it knows the nonces.
    """
    label = f"tafelrunde/tournament-match/1|{tournament}|{round_number}|{table}"
    return MatchId("m" + base64.b32encode(hashlib.sha256(label.encode()).digest()[:15]).decode().lower())


def place_of_match(tournament: str, match: str) -> tuple[int, int] | None:
    """Return the round and the table of a match by its id; None if it is of no table. Cost: some milliseconds."""
    for round_number in range(1, MOST_ROUNDS + 1):
        for table in range(MOST_TABLES):
            if match_of_table(tournament, round_number, table) == match:
                return round_number, table
    return None
