"""What binds a tournament before anyone joins: the secret that draws its rounds, and the one that its deals come from.

What a stranger needs to check it is docs/tournaments.md.
"""

from __future__ import annotations

import hashlib
import hmac


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
