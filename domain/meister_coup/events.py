"""What happens in Meister Coup. Nullable fields are those that some viewers may not know."""

from __future__ import annotations

from enum import Enum

from ..game import Event, Seat
from .cards import Colour


class Reason(Enum):
    """What a match was won by."""

    MEISTERCOUPS = "meistercoups"
    POINTS = "points"


class MeisterEvent(Event, frozen=True, tag_field="type"):
    """A fact of Meister Coup."""


class MeisterDealt(MeisterEvent, frozen=True, tag="meister-coup.dealt.1"):
    """A round begins and its leader is asked. Everybody sees the colours of all hands.

    `diamonds` are those of the values 1 to 12; `colours` count the violet, blue, green and yellow cards of each hand.
    """

    round: int
    leader: Seat
    diamonds: tuple[int, ...]
    colours: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...] | None, ...]


class CardPlayed(MeisterEvent, frozen=True, tag="meister-coup.card-played.1"):
    """A seat played a card; `next` is asked now."""

    seat: Seat
    card: int
    next: Seat | None


class TrickRanked(MeisterEvent, frozen=True, tag="meister-coup.trick-ranked.1"):
    """The trick is complete: each colour's total, the colour that has the majority, the seats best first. The winner is asked."""

    number: int
    sums: tuple[int, ...]
    colour: Colour
    winner: Seat
    runner_up: Seat
    ranking: tuple[Seat, ...]


class CardPicked(MeisterEvent, frozen=True, tag="meister-coup.card-picked.1"):
    """The winner picked a card of the trick."""

    seat: Seat
    card: int


class ChoiceGiven(MeisterEvent, frozen=True, tag="meister-coup.choice-given.1"):
    """The runner-up is asked: it gets the `fixed` cards, and which of the equal ones it chooses to make two."""

    seat: Seat
    fixed: tuple[int, ...]
    equal: tuple[int, ...]


class CardsTaken(MeisterEvent, frozen=True, tag="meister-coup.cards-taken.1"):
    """The runner-up took two cards."""

    seat: Seat
    cards: tuple[int, ...]


class MeistercoupTicked(MeisterEvent, frozen=True, tag="meister-coup.meistercoup-ticked.1"):
    """A seat completed four colours: its Meistercoups of this round, and with what it, or its team, has entered before."""

    seat: Seat
    in_round: int
    total: int


class TrickCleared(MeisterEvent, frozen=True, tag="meister-coup.trick-cleared.1"):
    """What nobody took is out of the round. The runner-up leads next; it is not asked if the round is over."""

    number: int
    out: tuple[int, ...]
    leader: Seat
    asked: bool


class RoundScored(MeisterEvent, frozen=True, tag="meister-coup.round-scored.1"):
    """Each seat's points and Meistercoups of the round. In teams the `voters` are asked whose result is entered."""

    round: int
    points: tuple[int, ...]
    meistercoups: tuple[int, ...]
    voters: tuple[Seat, ...]


class MemberProposed(MeisterEvent, frozen=True, tag="meister-coup.member-proposed.1"):
    """A seat proposes whose result its team enters; those of the team are asked who do not stand for that member already.

    `again`: one of them had spoken before, so that this is a new decision.
    """

    seat: Seat
    member: Seat
    again: bool


class MemberAgreed(MeisterEvent, frozen=True, tag="meister-coup.member-agreed.1"):
    """A seat agrees to what is proposed in its team."""

    seat: Seat
    member: Seat


class ResultEntered(MeisterEvent, frozen=True, tag="meister-coup.result-entered.1"):
    """A team agreed, and entered a member's result of the round."""

    team: int
    member: Seat
    points: int
    meistercoups: int


class MatchWon(MeisterEvent, frozen=True, tag="meister-coup.won.1"):
    """The match is over."""

    winners: tuple[Seat, ...]
    reason: Reason
