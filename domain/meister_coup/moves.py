"""Moves: what a seat may do, and why not."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from . import stages
from .messages import TakeCards
from .move_codec import AGREE, PICK, PROPOSE, Move, move_of
from .ranking import TAKEN
from .table import NOBODY, TEAMS, MeisterTable

MOST_PROPOSALS: Final = 6
"""After this number of proposals in a team's vote only the best member can still be proposed: every vote comes to an end."""


def best_member(table: MeisterTable, team: int) -> int:
    """Return the member with most points of the round, then most Meistercoups, then the lowest seat."""
    points, coups, _ = table.rounds[-1]
    return max(table.team(team), key=lambda seat: (points[seat], coups[seat], -seat))


def waiting(table: MeisterTable) -> int:
    """Return the first seat that is asked, NOBODY if none is."""
    return table.asked[0] if table.asked else NOBODY


def legal(table: MeisterTable, seat: int) -> list[Move]:
    """Return every move of a seat, in a stable order; none if it is not asked."""
    if seat not in table.asked:
        return []
    stage = table.stage
    if stage is stages.PLAY or stage is stages.LEAD:
        return table.hands[seat]
    if stage is stages.PICK:
        return [PICK + card for card in table.trick]
    if stage is stages.TAKE:
        few = combinations(table.equal, TAKEN - len(table.fixed))
        return [move_of(TakeCards((*table.fixed, *chosen))) for chosen in few]
    team = seat % TEAMS
    agreement = () if table.proposed[team] == NOBODY else (AGREE,)
    return [*agreement, *(PROPOSE + member for member in table.team(team) if may_propose(table, member))]


def may_propose(table: MeisterTable, member: int) -> bool:
    """Return whether someone of its team may propose a member now."""
    team = member % TEAMS
    return member != table.proposed[team] and (table.proposals[team] < MOST_PROPOSALS or member == best_member(table, team))
