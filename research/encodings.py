"""What the types of the views do not say of their fields: which numbers name a card, how large they get, what is left out.

`seats.coins` is the field `coins` of each record in `seats`. A field that is not named here is encoded as its type has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ..domain.coup.stages import CoupStage
from ..domain.game import GameId
from ..domain.matchmaster import cards as matchmaster
from ..domain.matchmaster.stages import MatchMasterStage
from ..domain.meister_coup import cards as meister_coup
from ..domain.meister_coup.stages import MeisterStage
from ..domain.mondkrone.stages import MondkroneStage
from ..domain.stich_meister import cards as stich_meister
from ..domain.stich_meister.rule_cards import NUMBERS
from ..domain.stich_meister.stages import StichStage


class Number(NamedTuple):
    """A number, divided by about the largest that there is."""

    largest: float


class Among(NamedTuple):
    """One of these, or a list of some of them."""

    members: Sequence[int | str]


class Fixed(NamedTuple):
    """A list that always has this number of numbers."""

    length: int
    largest: float


class Order(NamedTuple):
    """A list of seats, the best first: 1 for the first, 1/2 for the second, and so on."""


class Shares(NamedTuple):
    """A list of records, the strongest first, whose cards get what is left of 1 from there on: 1 for the first, then less."""

    field: str
    members: Sequence[int]


class Merged(NamedTuple):
    """A list of records that are all written into the same places: what was ever true stays."""


class Omitted(NamedTuple):
    """Not encoded: it follows from the rest, or is of no use to a decision. The reason is in words."""

    because: str


Encoding: TypeAlias = Number | Among | Fixed | Order | Shares | Merged | Omitted

COUNTER: Final = Omitted("it only counts")
SAID: Final = Omitted("other places say it")
OVER: Final = Omitted("rounds that are over have left their scores")
MATCHMASTER_CARDS: Final = Among(range(matchmaster.CARDS))
MATCHMASTER_BIDS: Final = Among(range(matchmaster.MOST + 1))
MEISTER_CARDS: Final = Among(range(meister_coup.CARDS))
STICH_CARDS: Final = Among(range(stich_meister.CARDS))
STICH_RULES: Final = Among(range(1, NUMBERS + 1))

SEAT_FIELDS: Final = frozenset(("target", "member"))
"""The fields of commands that name a seat."""
ENCODINGS: Final[Mapping[GameId, Mapping[str, Encoding]]] = {
    GameId("coup"): {
        "options.first_seat": SAID,
        "options.max_decisions": COUNTER,
        "stage": Among([stage.key for stage in CoupStage]),
        "decision": COUNTER,
        "fifth_role": SAID,
        "seats.coins": Number(10),
        "seats.influence": Number(2),
        "seats.conduct.claimed": Fixed(8, 4),
        "seats.conduct.declined": Fixed(6, 4),
        "seats.conduct.lies": Number(3),
        "seats.conduct.proofs": Number(3),
        "seats.conduct.doubts": Number(5),
        "seats.conduct.trusts": Number(10),
        "court_size": Number(20),
    },
    GameId("matchmaster"): {
        "options.first_dealer": SAID,
        "stage": Among([stage.key for stage in MatchMasterStage]),
        "decision": COUNTER,
        "round": Number(13),
        "size": Number(matchmaster.MOST),
        "trump": Omitted("it is always the same"),
        "seats.hand_size": Number(matchmaster.MOST),
        "seats.bid": MATCHMASTER_BIDS,
        "seats.tricks": Number(matchmaster.MOST),
        "seats.score": Number(100),
        "hand": MATCHMASTER_CARDS,
        "bid": MATCHMASTER_BIDS,
        "trick.card": MATCHMASTER_CARDS,
        "tricks": Merged(),
        "tricks.plays.card": MATCHMASTER_CARDS,
        "tricks.winner": SAID,
        "rounds": OVER,
    },
    GameId("meister-coup"): {
        "options.diamonds": SAID,
        "options.first_leader": SAID,
        "stage": Among([stage.key for stage in MeisterStage]),
        "decision": COUNTER,
        "round": Number(10),
        "diamonds": Fixed(12, 3),
        "hand": MEISTER_CARDS,
        "seats.team": Among((0, 1)),
        "seats.hand": Fixed(4, 12),
        "seats.cards": MEISTER_CARDS,
        "seats.collected": Fixed(4, 12),
        "seats.points": Number(50),
        "seats.meistercoups": Number(4),
        "seats.total_meistercoups": Number(10),
        "sides.points": Number(200),
        "sides.meistercoups": Number(10),
        "trick.number": Number(12),
        "trick.plays.card": MEISTER_CARDS,
        "trick.sums": Fixed(4, 30),
        "trick.ranking": Order(),
        "trick.picked": MEISTER_CARDS,
        "trick.taken": MEISTER_CARDS,
        "trick.choice": MEISTER_CARDS,
        "trick.out": MEISTER_CARDS,
        "last_trick": SAID,
        "tricks": Merged(),
        "tricks.number": SAID,
        "tricks.plays.card": MEISTER_CARDS,
        "tricks.sums": SAID,
        "tricks.colour": SAID,
        "tricks.ranking": SAID,
        "tricks.picked": SAID,
        "tricks.taken": SAID,
        "tricks.choice": SAID,
        "tricks.out": MEISTER_CARDS,
        "votes.team": SAID,
        "votes.voices": Omitted("whether a seat is asked says whether it has agreed"),
        "votes.proposals": Number(4),
        "rounds": OVER,
    },
    GameId("mondkrone"): {
        "stage": Among([stage.key for stage in MondkroneStage]),
        "decision": COUNTER,
        "round": Number(20),
        "target": Number(40),
        "conditions.count": Number(10),
        "seats.hand_size": Number(10),
        "seats.score": Number(40),
        "seats.results": SAID,
        "effects": SAID,
        "deck_size": Number(50),
        "rounds": OVER,
    },
    GameId("stich-meister"): {
        "options.first_dealer": SAID,
        "options.rules": SAID,
        "stage": Among([stage.key for stage in StichStage]),
        "decision": COUNTER,
        "round": Number(5),
        "rules": STICH_RULES,
        "chosen": STICH_RULES,
        "trumps": Shares("cards", range(stich_meister.CARDS)),
        "seats.hand_size": Number(15),
        "seats.rule_cards": Number(6),
        "seats.open_cards": STICH_CARDS,
        "seats.tricks": Number(15),
        "seats.score": Number(100),
        "seats.lacks": STICH_CARDS,
        "hand": STICH_CARDS,
        "rule_cards": STICH_RULES,
        "aside": STICH_CARDS,
        "answer": Among(range(NUMBERS + 1)),
        "known.card": STICH_CARDS,
        "number": Number(15),
        "step": Number(1),
        "follow": Among(stich_meister.FOLLOWED),
        "trick.card": STICH_CARDS,
        "tricks": Merged(),
        "tricks.number": SAID,
        "tricks.plays.card": STICH_CARDS,
        "tricks.winner": SAID,
        "tricks.reason": SAID,
        "tricks.holder": SAID,
        "tricks.out": STICH_CARDS,
        "last_tricks": OVER,
        "rounds": OVER,
    },
}
