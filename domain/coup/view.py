"""What one viewer may know of a game of Coup, built by allow-list."""

from __future__ import annotations

import msgspec

from ..game import DecisionId, GameView, Seat
from . import stages
from .card_knowledge import ALIKE, BLANK, SINGLE, known_hand
from .conduct import HELD, KINDS, of_seat
from .events import (
    Action,
)
from .messages import ROLES, CoupOptions, Role
from .table import NOBODY, CoupTable, named, role_or_none, seat_or_none


class CoupConduct(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has claimed, let pass and doubted in this game, as everyone has seen it, in counts.

    `claimed` are its claims since its hand last changed unseen, but for roles shown, lost or disproved, in this order: tax,
    assassination, theft, exchange or examination, blocks as duke, as contessa, as captain, as the fifth role. `declined` goes
    as far back: turns without a claim, turns without the assassin that it could pay, turns without a claim while a rival had two
    coins, and foreign aid, thefts and assassins that it let pass. Of the whole game: `lies` disproved, `proofs` given, `doubts`
    of others' claims, and `trusts`, claims that it and all others let stand.
    """

    claimed: tuple[int, ...]
    declined: tuple[int, ...]
    lies: int
    proofs: int
    doubts: int
    trusts: int


class CoupSeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as every viewer may know it; `face_up` are its lost cards, in the order they were lost.

    `claims` are the roles that it has claimed since its last exchange, in order, except those shown or disproved.
    """

    seat: Seat
    coins: int
    influence: int
    face_up: tuple[Role, ...]
    claims: tuple[Role, ...]
    conduct: CoupConduct
    out: bool


class CoupKnownHand(msgspec.Struct, frozen=True, kw_only=True):
    """What the viewer knows for certain of another seat's face-down cards, from what it has seen since they were exchanged.

    `holds` are among them; `alike`: whether two cards are equal, if that is known. `lacks`, what one of them is not, and
    pairs are known in matches of version 1 of the rules only: there a seat with two equal cards was not asked.
    """

    seat: Seat
    holds: tuple[Role, ...]
    lacks: Role | None
    alike: bool | None


class CoupView(GameView, frozen=True, kw_only=True, tag="coup"):
    """A game of Coup as one viewer may know it.

    `hand` are the viewer's face-down cards, `drawn` its cards of a running exchange, `examined` the card that it was
    shown, `drafted` its choice of the duel draft; `first` begins after the draft. `owed`: the challenger of a proved claim
    has still to lose a card. `known` are other hands of which the viewer knows something, `court_holds` cards that it put into
    the court deck and no other seat can have drawn; `untouched` hands have only lost cards since the deal. Roles are in the
    order of their names.
    """

    options: CoupOptions
    seat: Seat | None
    stage: str
    decision: DecisionId
    fifth_role: Role
    first: Seat | None
    seats: tuple[CoupSeatView, ...]
    court_size: int
    turn: Seat | None
    action: Action | None
    target: Seat | None
    role: Role | None
    blocker: Seat | None
    block_role: Role | None
    challenger: Seat | None
    owed: bool
    may_react: tuple[Seat, ...]
    asked: Seat | None
    hand: tuple[Role, ...]
    drawn: tuple[Role, ...]
    examined: Role | None
    drafted: Role | None
    passed: bool
    known: tuple[CoupKnownHand, ...]
    court_holds: tuple[Role, ...]
    untouched: tuple[Seat, ...]
    winners: tuple[Seat, ...]


def view(table: CoupTable, seat: Seat | None) -> CoupView:
    """Return what *seat* (None: a spectator) may know."""
    own = seat is not None
    acting = seat == table.turn
    return CoupView(
        options=table.options,
        seat=seat,
        stage=table.stage.key,
        decision=DecisionId(table.decision),
        fifth_role=ROLES[table.fifth],
        first=seat_or_none(table.first),
        seats=tuple(_seat(table, place) for place in range(table.seats)),
        court_size=len(table.court),
        turn=seat_or_none(table.turn),
        action=table.action,
        target=seat_or_none(table.target),
        role=role_or_none(table.role),
        blocker=seat_or_none(table.blocker),
        block_role=role_or_none(table.block_role),
        challenger=seat_or_none(table.challenger),
        owed=table.owed,
        may_react=tuple(map(Seat, table.window)) if table.stage in stages.REACTIONS else (),
        asked=asked_alone(table),
        hand=named(table.hands[seat]) if seat is not None else (),
        drawn=named(sorted(table.drawn)) if own and acting else (),
        examined=role_or_none(table.examined) if own and (acting or seat == table.target) else None,
        drafted=role_or_none(table.drafted[seat]) if seat is not None else None,
        passed=own and seat in table.passed,
        known=tuple(known for place in range(table.seats) if place != seat and (known := _known(table, place, seat))),
        court_holds=named(table.stocked) if own and seat == table.stocker else (),
        untouched=tuple(Seat(place) for place in range(table.seats) if table.untouched[place]),
        winners=tuple(map(Seat, table.winners)),
    )


def _known(table: CoupTable, seat: int, viewer: Seat | None) -> CoupKnownHand | None:
    """Return what a viewer knows of another hand, None for nothing."""
    found = known_hand(table.notes[seat], NOBODY if viewer is None else viewer)
    if found == BLANK or not table.hands[seat]:
        return None
    alike = None if found.shape == SINGLE else found.shape == ALIKE
    return CoupKnownHand(seat=Seat(seat), holds=named(found.holds), lacks=role_or_none(found.lacks), alike=alike)


def _seat(table: CoupTable, seat: int) -> CoupSeatView:
    return CoupSeatView(
        seat=Seat(seat),
        coins=table.coins[seat],
        influence=len(table.hands[seat]),
        face_up=named(table.up[seat]),
        claims=named(table.claims[seat]),
        conduct=_conduct(of_seat(table.conduct, seat)),
        out=table.out[seat],
    )


def _conduct(counts: tuple[int, ...]) -> CoupConduct:
    lies, proofs, doubts, trusts = counts[HELD:]
    return CoupConduct(
        claimed=counts[:KINDS], declined=counts[KINDS:HELD], lies=lies, proofs=proofs, doubts=doubts, trusts=trusts
    )


def counted(conduct: CoupConduct) -> tuple[int, ...]:
    """Return conduct as the counts of a table."""
    return (*conduct.claimed, *conduct.declined, conduct.lies, conduct.proofs, conduct.doubts, conduct.trusts)


def asked_alone(table: CoupTable) -> Seat | None:
    """Return the one seat that is asked, None where several are."""
    match table.stage:
        case stages.PROVE | stages.LOSE:
            return Seat(table.loser)
        case stages.SHOW:
            return Seat(table.target)
        case stages.ACTION | stages.EXCHANGE | stages.JUDGE:
            return Seat(table.turn)
        case _:
            return None


def open_claim(view: CoupView) -> tuple[Seat | None, Role | None]:
    """Return who claims which role at the moment: the blocker, once there is one, else the seat whose turn it is."""
    return (view.turn, view.role) if view.blocker is None else (view.blocker, view.block_role)
