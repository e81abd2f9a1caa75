"""What one viewer may know of a game of Stich-Meister, built by allow-list."""

from __future__ import annotations

import msgspec

from ..game import DecisionId, GameView, Seat
from .events import StichPlay, StichScoreLine
from .messages import StichOptions

STAGES = (
    "setup",
    "choose-rule",
    "pass-right",
    "pass-left",
    "set-aside",
    "open-cards",
    "lead",
    "play",
    "play-hidden",
    "take-out",
    "pass-after",
    "over",
)
"""What a table waits for; each but the first and the last is also a prompt, `stich-meister.prompt.<stage>`."""


class StichSeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as the viewer may know it.

    `hand_size` counts the open cards too, but not the card set aside. `lacks` are unseen cards that this seat, as everybody
    could see from what it played, has not in its hand.
    """

    seat: Seat
    hand_size: int
    rule_cards: int
    open_cards: tuple[int, ...]
    aside: bool
    tricks: int
    score: int
    lacks: tuple[int, ...]


class StichTrickView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished trick; `holder` is the seat before which it lies, `out` the card taken out. Number 0: a card of rule 40."""

    number: int
    plays: tuple[StichPlay, ...]
    winner: Seat
    holder: Seat
    out: int | None


class StichTrumpRung(msgspec.Struct, frozen=True, kw_only=True):
    """Trumps of one strength, which the rules named made trump: of these the one played later is higher."""

    rules: tuple[int, ...]
    cards: tuple[int, ...]


class StichKnownCard(msgspec.Struct, frozen=True, kw_only=True):
    """A hidden card of which the viewer knows that one of these seats has it."""

    card: int
    seats: tuple[Seat, ...]


class StichRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round; `chosen` has the own choice of rule alone until the match is over."""

    round: int
    dealer: Seat
    rules: tuple[int, ...]
    chosen: tuple[int | None, ...]
    lines: tuple[StichScoreLine, ...]
    scores: tuple[int, ...]


class StichView(GameView, frozen=True, kw_only=True, tag="stich-meister"):
    """A game of Stich-Meister as one viewer may know it.

    `rules` are in force, in number order; `trumps` are the trump cards in play, strongest first. `hand`, `rule_cards`, `aside`
    and `answer` (the secret choice that it has made in the open decision) are the viewer's own. `chosen` is its rule card of this
    round. `step` is 1 if play goes clockwise, `follow` what the next card must follow: a suit's name or `trump`. `trick` are
    the cards on the table in the order of play, `tricks` those finished in this round, the last trick last.
    """

    options: StichOptions
    seat: Seat | None
    stage: str
    decision: DecisionId
    round: int
    dealer: Seat | None
    rules: tuple[int, ...]
    chosen: int | None
    trumps: tuple[StichTrumpRung, ...]
    seats: tuple[StichSeatView, ...]
    hand: tuple[int, ...]
    rule_cards: tuple[int, ...]
    aside: int | None
    answer: tuple[int, ...]
    known: tuple[StichKnownCard, ...]
    number: int
    leader: Seat | None
    step: int
    asked: tuple[Seat, ...]
    follow: str | None
    trick: tuple[StichPlay, ...]
    winner: Seat | None
    tricks: tuple[StichTrickView, ...]
    rounds: tuple[StichRoundView, ...]
