"""From tournaments to the shapes of the API, field by field: no secret before its time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import UNSET

from ....domain.match import PlayerId
from ....service.features.tournaments.commitments import deal_commitment, draw_commitment
from ....service.features.tournaments.duty import Director
from ....service.features.tournaments.rules import Tournament
from ....service.features.tournaments.service import Found
from ....service.features.tournaments.standings import POINT, StandingRow, shares, standings
from ....service.players.accounts import shown_name
from ....service.ports.players import PlayerRecord
from .schema import TableChair, TournamentFacts, TournamentRound, TournamentSheet, TournamentStanding, TournamentTable

People = Mapping[PlayerId, PlayerRecord]
DIGITS = 3


def people_of(found: Iterable[Found]) -> list[PlayerId]:
    """Return whose names a list of tournaments shows."""
    return list({each.state.opened.organiser for each in found})


def everyone_in(found: Found) -> list[PlayerId]:
    """Return whose names a tournament shows."""
    players = {each.player for each in found.state.entrants if each.player is not None}
    return list({found.state.opened.organiser} | players)


def facts_of(found: Found, people: People, asker: PlayerId | None, director: Director) -> TournamentFacts:
    """Return a tournament as *asker* may know it: anyone who has its id may, and the secrets have their times."""
    state = found.state
    opened = found.state.opened
    entry = state.number_of(asker) if asker is not None else None
    organiser = people.get(opened.organiser)
    return TournamentFacts(
        tournament=found.id,
        name=opened.name,
        game=opened.settings.game,
        seats=opened.settings.seats,
        kind=opened.kind,
        options=opened.settings.options,
        clock=opened.settings.clock,
        spectators=opened.settings.spectators,
        visibility=opened.settings.visibility,
        rated=opened.settings.rated,
        stage=state.stage,
        cancelled=state.cancelled,
        organiser=opened.organiser,
        organiser_name=shown_name(organiser) if organiser is not None else None,
        organises=asker == opened.organiser,
        opened_ms=opened.at_ms,
        starts_ms=opened.starts_ms,
        started_ms=state.started_ms,
        ended_ms=state.ended_ms,
        places=opened.places,
        entrants=len(state.entrants),
        fill=opened.fill,
        rounds=state.planned or opened.rounds,
        round=len(state.rounds),
        public_ids=opened.public_ids,
        draw_commitment=draw_commitment(found.id, opened.draw_secret),
        draw_secret=opened.draw_secret if state.draws_no_more else None,
        deal_commitment=deal_commitment(found.id, opened.deal_secret),
        deal_secret=opened.deal_secret if state.deals_no_more else None,
        entry=entry,
        withdrawn=entry is not None and state.entrants[entry].withdrawn,
        your_match=_match_of(found, entry, director),
    )


def _match_of(found: Found, entry: int | None, director: Director) -> str | None:
    """Return the match of an entrant in the newest round."""
    newest = found.state.rounds[-1] if found.state.rounds else None
    for table, each in enumerate(newest.tables if newest is not None else ()):
        if entry in each.entrants and each.opened:
            return director.match_of(found.id, found.state, len(found.state.rounds), table)
    return None


def sheet_of(found: Found, people: People, asker: PlayerId | None, director: Director) -> TournamentSheet:
    """Return a tournament with its standings and its newest round."""
    count = len(found.state.rounds)
    return TournamentSheet(
        facts=facts_of(found, people, asker, director),
        standings=tuple(_standing(found.state, each, people) for each in standings(found.state)),
        newest=round_of(found, count, director) if count else None,
    )


def _standing(state: Tournament, row: StandingRow, people: People) -> TournamentStanding:
    entrant = state.entrants[row.entrant]
    record = people.get(entrant.player) if entrant.player is not None else None
    return TournamentStanding(
        place=row.place,
        entrant=row.entrant,
        player=entrant.player,
        name=shown_name(record) if record is not None else None,
        guest=record is not None and record.guest,
        program=record is not None and record.bot,
        bot=entrant.bot,
        withdrawn=entrant.withdrawn,
        points=_points(row.points),
        buchholz=_points(row.buchholz),
        direct=row.direct / 2,
        wins=row.wins,
        played=row.played,
        byes=row.byes,
        avatar=(record.avatar if record is not None else None) or UNSET,
    )


def round_of(found: Found, number: int, director: Director) -> TournamentRound:
    """Return a round that was drawn."""
    state = found.state
    drawn = found.state.rounds[number - 1]
    bots = state.bots()
    tables: list[TournamentTable] = []
    for table, each in enumerate(drawn.tables):
        chairs = _chairs(each.entrants, each.ranks, [entrant in bots for entrant in each.entrants])
        match = director.match_of(found.id, state, number, table) if each.opened else None
        tables.append(TournamentTable(match=match, over=each.ranks is not None, chairs=chairs))
    return TournamentRound(tournament=found.id, round=number, over=drawn.over, tables=tuple(tables), byes=drawn.byes)


def _chairs(entrants: Sequence[int], ranks: Sequence[int] | None, bots: Sequence[bool]) -> tuple[TableChair, ...]:
    won = [_points(each) for each in shares(ranks, bots)] if ranks is not None else [None] * len(entrants)
    shown = ranks or [None] * len(entrants)
    return tuple(
        TableChair(entrant=entrant, rank=rank, points=points) for entrant, rank, points in zip(entrants, shown, won, strict=True)
    )


def _points(parts: int) -> float:
    return round(parts / POINT, DIGITS)
