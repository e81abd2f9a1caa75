"""What happens in Meister Coup. Nullable fields are those that some viewers may not know."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias, cast

from ..game import Event, Seat
from ..secrecy import PerSeat, Public, closed
from .cards import Colour


class Reason(Enum):
    """What a match was won by."""

    MEISTERCOUPS = "meistercoups"
    POINTS = "points"


class MeisterDealt(Event, frozen=True, tag="meister-coup.dealt.1"):
    """A round begins and its leader is asked. Every seat sees the colours of all hands.

    `diamonds` are those of the values 1 to 12; `colours` count the violet, blue, green and yellow cards of each hand.
    """

    round: Public[int]
    leader: Public[Seat]
    diamonds: Public[tuple[int, ...]]
    colours: Public[tuple[tuple[int, ...], ...]]
    hands: PerSeat[tuple[int, ...]]


class CardPlayed(Event, frozen=True, tag="meister-coup.card-played.1"):
    """A seat played a card; `next` is asked now."""

    seat: Public[Seat]
    card: Public[int]
    next: Public[Seat | None]


class TrickRanked(Event, frozen=True, tag="meister-coup.trick-ranked.1"):
    """The trick is complete: each colour's total, the colour that has the majority, the seats best first. The winner is asked."""

    number: Public[int]
    sums: Public[tuple[int, ...]]
    colour: Public[Colour]
    winner: Public[Seat]
    runner_up: Public[Seat]
    ranking: Public[tuple[Seat, ...]]


class CardPicked(Event, frozen=True, tag="meister-coup.card-picked.1"):
    """The winner picked a card of the trick."""

    seat: Public[Seat]
    card: Public[int]


class ChoiceGiven(Event, frozen=True, tag="meister-coup.choice-given.1"):
    """The runner-up is asked: it gets the `fixed` cards, and which of the equal ones it chooses to make two."""

    seat: Public[Seat]
    fixed: Public[tuple[int, ...]]
    equal: Public[tuple[int, ...]]


class CardsTaken(Event, frozen=True, tag="meister-coup.cards-taken.1"):
    """The runner-up took two cards."""

    seat: Public[Seat]
    cards: Public[tuple[int, ...]]


class MeistercoupTicked(Event, frozen=True, tag="meister-coup.meistercoup-ticked.1"):
    """A seat completed four colours: its Meistercoups of this round, and with what it, or its team, has entered before."""

    seat: Public[Seat]
    in_round: Public[int]
    total: Public[int]


class TrickCleared(Event, frozen=True, tag="meister-coup.trick-cleared.1"):
    """The cards left over are out of the round. The runner-up leads next; it is not asked if the round is over."""

    number: Public[int]
    out: Public[tuple[int, ...]]
    leader: Public[Seat]
    asked: Public[bool]


class RoundScored(Event, frozen=True, tag="meister-coup.round-scored.1"):
    """Each seat's points and Meistercoups of the round. In teams the `voters` are asked whose result is entered."""

    round: Public[int]
    points: Public[tuple[int, ...]]
    meistercoups: Public[tuple[int, ...]]
    voters: Public[tuple[Seat, ...]]


class MemberProposed(Event, frozen=True, tag="meister-coup.member-proposed.1"):
    """A seat proposes whose result its team enters; the seats of the team that do not support that member yet are asked.

    `again`: one of them had spoken before, so that this is a new decision.
    """

    seat: Public[Seat]
    member: Public[Seat]
    again: Public[bool]


class MemberAgreed(Event, frozen=True, tag="meister-coup.member-agreed.1"):
    """A seat agrees to what is proposed in its team."""

    seat: Public[Seat]
    member: Public[Seat]


class ResultEntered(Event, frozen=True, tag="meister-coup.result-entered.1"):
    """A team agreed, and entered a member's result of the round."""

    team: Public[int]
    member: Public[Seat]
    points: Public[int]
    meistercoups: Public[int]


class MatchWon(Event, frozen=True, tag="meister-coup.won.1"):
    """The match is over."""

    winners: Public[tuple[Seat, ...]]
    reason: Public[Reason]


MeisterEvent: TypeAlias = (
    MeisterDealt
    | CardPlayed
    | TrickRanked
    | CardPicked
    | ChoiceGiven
    | CardsTaken
    | MeistercoupTicked
    | TrickCleared
    | RoundScored
    | MemberProposed
    | MemberAgreed
    | ResultEntered
    | MatchWon
)
EVENT_TYPES = cast("tuple[type[MeisterEvent], ...]", closed(MeisterEvent))  # closed returns the members of the union
