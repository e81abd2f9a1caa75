"""The deals of a day: one secret for each day, and out of it the secret of each game's deal, the same for all who play it.

Nothing of a player goes into it: neither the match's id nor a nonce. What a stranger needs to check it is docs/fair-dealing.md.
"""

from __future__ import annotations

import hashlib
import hmac

from ...domain.game import GameId


def day_commitment(day: str, secret: str) -> str:
    """Return what is published about a day's secret on the day before, in hex."""
    return hashlib.sha256(f"tafelrunde/day-commitment/1|{day}|{secret}".encode()).hexdigest()


def secret_of_deal(day: str, secret: str, game: GameId) -> str:
    """Return the secret of a game's deal of a day, in hex: each match of that deal has it as its own."""
    return hmac.digest(bytes.fromhex(secret), f"tafelrunde/day/1|{game}|{day}".encode(), "sha256").hex()


def deal_name(game: GameId, day: str) -> str:
    """Return what stands in the place of the match's id where the deal of a day is drawn."""
    return f"daily-{game}-{day}"
