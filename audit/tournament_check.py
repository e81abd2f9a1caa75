"""A tournament at its address: its commitments, who met whom, and the id, the secret, the seats and the result of each table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..domain.game import GameId
from ..domain.match import BotName, MatchSettings, PlayerId
from ..domain.match.state import Match
from ..domain.match.terms import DRAWS
from ..service.errors import NotFound, StartupRefused
from ..service.features.records.verdict import Conclusion, Finding
from ..service.features.records.verify import match_of
from ..service.features.tournaments.commitments import deal_commitment, draw_commitment, match_of_table, secret_of_table
from ..service.features.tournaments.events import Opened, TournamentKind
from ..service.features.tournaments.pairing import Drawn, draw_round
from ..service.features.tournaments.rules import Entrant, Pairing, Round, Tournament
from ..service.features.tournaments.standings import field_of, ranks_of
from ..service.games import games_of
from .check_record import Evidence
from .kept_evidence import Comparison, compare_at_service, find_kept_file, read_kept_file
from .opening_command import Opening, opening_in
from .record_sources import read_file, split_record
from .remote import NotShown, connect, download_record
from .verdict_text import describe_finding, make_printable

if TYPE_CHECKING:
    from tafelrunde.client.entries import KeptTournament
    from tafelrunde.client.shapes import TournamentRound, TournamentSheet, TournamentTable

ADDRESS = re.compile(r"(https?://.+?)/(?:api/v1/|#/)?tournaments/(c[a-z2-7]{24})(?:[/?#].*)?")
WHERE = "tournament"

NO_DRAW = "the pairings: their secret is shown from the start of the tournament on"
NO_DEALS = "the secrets of the matches: the secret of the deals is shown when the tournament is over"
OLD_IDS = "the ids of the matches: they take a key of the service, which could choose them after it knew the nonces"
NOTHING_KEPT = "whether the commitments came before the nonces: nothing that was kept of this tournament was given (--kept)"
NO_PLACE = "the order of the entrants: your own place among them was not kept"
NO_NONCE = "your share in the deals: no nonce of yours was kept"


class TournamentVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What came of checking a tournament: what was compared, what was not and why, and the first thing that is wrong."""

    tournament: str
    game: str
    rounds: int
    tables: int
    compared: tuple[str, ...]
    open: tuple[str, ...]
    finding: Finding | None

    @property
    def conclusion(self) -> Conclusion:
        """Right only if everything was compared."""
        if self.finding is not None:
            return Conclusion.WRONG
        return Conclusion.UNDECIDED if self.open else Conclusion.RIGHT


class Wrong(Exception):
    """Something of a tournament is not as it has to be."""

    def __init__(self, where: str, what: str, expected: object, found: object) -> None:
        super().__init__(what)
        self.finding = Finding(where, what, str(expected), str(found))


class Place(NamedTuple):
    """A table: its round, counted from 1, and its number, counted from 0."""

    round: int
    table: int

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table}"


class Shown(NamedTuple):
    """What a service shows of a tournament."""

    sheet: TournamentSheet
    rounds: Sequence[TournamentRound]


Step = tuple[str, bool]
"""What was looked at, and whether it could be compared."""


def check_tournament(address: str, token: str | None, evidence: Evidence) -> TournamentVerdict:
    """Check the tournament at an address, as the holder of a token, and compare it with what was kept.

    Raises NotFound if the service has no such tournament, and StartupRefused for no answer or evidence that cannot be read.
    """
    if (found := ADDRESS.fullmatch(address)) is None:
        raise StartupRefused(f"{address} is not the address of a tournament, like http://127.0.0.1:8000/#/tournaments/c...")
    service, tournament = found[1], found[2]
    kept = _read_kept(evidence.kept, tournament)
    shown = _fetch(service, token, tournament)
    check = TournamentCheck(service, token, evidence, shown, kept)
    compared, left = list[str](), list[str]()
    finding = None
    try:
        for what, agrees in check.steps():
            (compared if agrees else left).append(what)
    except Wrong as wrong:
        finding = wrong.finding
    except (ValueError, LookupError) as error:
        finding = Finding(WHERE, "an answer that can be checked", "secrets, entrants and ranks in their forms", str(error))
    return TournamentVerdict(
        tournament=tournament,
        game=shown.sheet.facts.game,
        rounds=len(shown.rounds),
        tables=sum(len(each.tables) for each in shown.rounds),
        compared=tuple(dict.fromkeys(compared)),
        open=tuple(dict.fromkeys(left)),
        finding=finding,
    )


def _fetch(service: str, token: str | None, tournament: str) -> Shown:
    with connect(service, token, f"tournament at {service}") as client:
        sheet = client.tournament(tournament)
        rounds = [client.tournament_round(tournament, number) for number in range(1, sheet.facts.round + 1)]
        return Shown(sheet, rounds)


def _read_kept(place: Path | None, tournament: str) -> KeptTournament | None:
    """Return what was kept of a tournament: in a file, or in a folder, which need not have it; raise StartupRefused."""
    from tafelrunde.client.entries import ENDING, read_tournament

    if place is None:
        return None
    path = place / f"{tournament}{ENDING}" if place.is_dir() else place
    if place.is_dir() and not path.exists():
        return None
    try:
        return read_tournament(read_file(path))
    except ValueError as error:
        raise StartupRefused(f"{path} is no file that was kept of a tournament: {error}.") from error


def _require(where: str, what: str, expected: object, found: object) -> None:
    if expected != found:
        raise Wrong(where, what, expected, found)


class TournamentCheck:
    """One tournament on its way through the checks."""

    def __init__(self, service: str, token: str | None, evidence: Evidence, shown: Shown, kept: KeptTournament | None) -> None:
        self._service = service
        self._token = token
        self._evidence = evidence
        self._games = games_of(evidence.games)
        self._verifier = evidence.verifier()
        self._shown = shown
        self._kept = kept
        self._facts = shown.sheet.facts
        self._nonces: dict[int, str] = {}
        entrants = sorted(shown.sheet.standings, key=lambda each: each.entrant)
        self._entrants = [
            Entrant(
                player=PlayerId(each.player) if each.player is not None else None,
                bot=BotName(each.bot) if each.bot is not None else None,
            )
            for each in entrants
        ]

    def steps(self) -> Iterator[Step]:
        """Yield what is compared, and what is not with the reason; raise Wrong."""
        yield from self._commitments()
        yield from self._terms()
        for number, drawn in enumerate(self._shown.rounds, 1):
            for table, each in enumerate(drawn.tables):
                yield from self._table(Place(number, table), each)
        yield from self._pairings()

    def _commitments(self) -> Iterator[Step]:
        facts = self._facts
        if facts.draw_secret is not None:
            found = draw_commitment(facts.tournament, facts.draw_secret)
            _require(WHERE, "the secret of the pairings", facts.draw_commitment, found)
            yield "the secret of the pairings", True
        if facts.deal_secret is not None:
            found = deal_commitment(facts.tournament, facts.deal_secret)
            _require(WHERE, "the secret of the deals", facts.deal_commitment, found)
            yield "the secret of the deals", True
        if facts.deal_secret is None:
            yield NO_DEALS, False
        if not facts.public_ids:
            yield OLD_IDS, False

    def _terms(self) -> Iterator[Step]:
        """Compare the terms and settings with what was kept before the nonce was drawn."""
        if (kept := self._kept) is None:
            yield NOTHING_KEPT, False
            return
        facts = self._facts
        found = (facts.tournament, facts.draw_commitment, facts.deal_commitment)
        terms = kept.terms
        _require("kept", "the commitments", (terms.tournament, terms.draw_commitment, terms.deal_commitment), found)
        _require("kept", "ids of matches that follow from public values", terms.public_ids, facts.public_ids)
        settings = (facts.game, facts.seats, facts.kind, dict(facts.options))
        _require("kept", "the settings", (kept.game, kept.seats, kept.kind, kept.options), settings)
        yield "the kept commitments and settings", True
        if not kept.nonce:
            yield NO_NONCE, False
        if kept.player and (mine := self._keeper()) is not None:
            self._order(kept.ahead, mine)
            yield "the order of those who had joined before", True
        else:
            yield NO_PLACE, False

    def _keeper(self) -> int | None:
        """Return the number of the entrant who has kept something; None if it is not known, or no longer takes part."""
        if self._kept is None:
            return None
        numbers = (number for number, each in enumerate(self._entrants) if each.player == self._kept.player)
        return next(numbers, None)

    def _order(self, ahead: Sequence[str], mine: int) -> None:
        """Require that only those are ahead of the keeper who had joined before, in that order; some may have left since."""
        found = [each.player or each.bot or "" for each in self._entrants[:mine]]
        left = iter(ahead)
        if not all(each in left for each in found):
            raise Wrong("kept", "the entrants ahead of you", list(ahead), found)

    def _table(self, place: Place, shown: TournamentTable) -> Iterator[Step]:
        facts = self._facts
        entrants = [chair.entrant for chair in shown.chairs]
        if shown.match is None:
            if not shown.over:
                yield f"{place}: its match has not begun", False
            elif any(self._entrants[each].bot is None for each in entrants):
                yield f"{place}: no match was played, as if its players were all deleted", False
            return
        if facts.public_ids:
            expected = match_of_table(facts.tournament, place.round, place.table)
            _require(str(place), "the id of the match", expected, shown.match)
            yield "the ids of the matches", True
        if not shown.over:
            yield f"{place}: its match is not over", False
            return
        yield from self._record(place, shown)

    def _record(self, place: Place, shown: TournamentTable) -> Iterator[Step]:
        assert shown.match is not None, "asked for where there is one"
        address = f"{self._service}/api/v1/matches/{shown.match}"
        try:
            lines = split_record(download_record(address, self._token))
        except NotShown as error:
            yield f"{place}: {error.why}", False
            return
        except NotFound as error:
            raise Wrong(str(place), "the match", shown.match, error) from error
        verdict = self._verifier.verdict(lines)
        if (wrong := verdict.finding) is not None:
            raise Wrong(f"{place}, {wrong.line}", wrong.what, wrong.expected, wrong.found)
        if verdict.conclusion is Conclusion.UNDECIDED:
            yield f"{place}: the record of {shown.match} is undecided ({verdict.doubts or 'its rules are not here'})", False
        match_id, loaded = match_of(lines, self._games)
        _require(str(place), "the match of the record", shown.match, match_id)
        self._deals(place, loaded.match)
        yield from self._seats(place, shown, opening_in(loaded, self._games))
        yield from self._result(place, shown, loaded.match)
        yield from self._own(place, shown.match, lines)
        yield "the records of the matches", True

    def _deals(self, place: Place, match: Match) -> None:
        """Require that nothing but the terms of the tournament decides what the draws of a match take, besides nonces."""
        facts, where = self._facts, str(place)
        settings = match.settings
        found = (settings.game, settings.seats, dict(settings.options))
        _require(where, "the settings of the tournament", (facts.game, facts.seats, dict(facts.options)), found)
        _require(where, "draws of the newest version", DRAWS, match.keyed.version if match.keyed is not None else 1)
        special = [name for name in ("daily", "lesson", "branched") if getattr(match, name) is not None]
        _require(where, "an ordinary match", "", " ".join(special))
        if facts.deal_secret is not None:
            secret = secret_of_table(facts.tournament, facts.deal_secret, place.round, place.table)
            _require(where, "the secret of the table", secret, match.facts.secret)

    def _seats(self, place: Place, shown: TournamentTable, opening: Opening) -> Iterator[Step]:
        """Compare who was seated, and with which nonces: an entrant has the same one in all of its matches."""
        where = str(place)
        _require(where, "the start in the command that opens the match", expected=True, found=opening.starts)
        for seat, chair in enumerate(shown.chairs):
            entrant = self._entrants[chair.entrant]
            player, nonce = opening.players.get(seat), opening.nonces.get(seat, "")
            if entrant.player is not None and player is None:
                yield (
                    f"{place}: a bot sat down for entrant {chair.entrant}, as for a player who was deleted, without a nonce",
                    False,
                )
                continue
            _require(where, f"who sits on seat {seat}", entrant.player, player)
            _require(where, f"the nonce of entrant {chair.entrant}", self._nonces.setdefault(chair.entrant, nonce), nonce)
            if self._kept is not None and self._kept.nonce and chair.entrant == self._keeper():
                _require(where, "your nonce", self._kept.nonce, nonce)
                yield "your nonce", True

    def _result(self, place: Place, shown: TournamentTable, match: Match) -> Iterator[Step]:
        ranks = tuple(chair.rank for chair in shown.chairs if chair.rank is not None)
        if ranks == (found := ranks_of(match)):
            return
        if match.correction is None:
            raise Wrong(str(place), "the result that counts", found, ranks)
        yield f"{place}: its result was corrected, and another one counts", False

    def _own(self, place: Place, match: str, lines: Sequence[bytes]) -> Iterator[Step]:
        """Compare the match with the file that was kept of it, if there is one."""
        kept = self._evidence.kept
        if kept is None or not kept.is_dir() or not (path := find_kept_file(kept, match)).exists():
            return
        file = read_kept_file(path)
        if file.tournament is not None:
            file = msgspec.structs.replace(
                file, tournament=msgspec.structs.replace(file.tournament, deal_secret=self._facts.deal_secret)
            )
        found: Comparison = compare_at_service(file, lines, self._service, self._token, self._games)
        if (wrong := found.finding) is not None:
            raise Wrong(f"{place}, {wrong.line}", wrong.what, wrong.expected, wrong.found)
        if found.unsure:
            yield f"{place}: of {match} {found.unsure}", False
        yield "the kept files of your matches", True

    def _pairings(self) -> Iterator[Step]:
        """Draw each round again from the results of those before."""
        facts = self._facts
        if facts.draw_secret is None:
            yield NO_DRAW, False
            return
        before: list[Round] = []
        for drawn in self._shown.rounds:
            tables = tuple(tuple(chair.entrant for chair in each.chairs) for each in drawn.tables)
            active = {number for each in (*tables, drawn.byes) for number in each}
            again = draw_round(field_of(self._state(before, active)), facts.draw_secret, facts.tournament)
            _require(f"round {drawn.round}", "who meets whom", again, Drawn(tables, drawn.byes))
            before.append(Round(tuple(map(_pairing, drawn.tables)), drawn.byes))
            yield "the pairings", True

    def _state(self, rounds: Sequence[Round], active: set[int]) -> Tournament:
        """Return the tournament as it was when a round was drawn in which some entrants took part."""
        facts = self._facts
        opened = Opened(
            at_ms=facts.opened_ms,
            organiser=PlayerId(facts.organiser),
            name=facts.name,
            settings=MatchSettings(game=GameId(facts.game), seats=facts.seats),
            kind=TournamentKind(facts.kind),
            rounds=facts.rounds,
            places=facts.places,
            fill=None,
            starts_ms=facts.starts_ms,
            draw_secret=facts.draw_secret or "",
            deal_secret=facts.deal_secret or "",
        )
        entrants = [msgspec.structs.replace(each, withdrawn=number not in active) for number, each in enumerate(self._entrants)]
        return Tournament(opened=opened, entrants=tuple(entrants), rounds=tuple(rounds))


def _pairing(shown: TournamentTable) -> Pairing:
    """Return a table with its result; without ranks it was ended without one."""
    ranks = tuple(chair.rank for chair in shown.chairs if chair.rank is not None)
    return Pairing(tuple(chair.entrant for chair in shown.chairs), ranks if shown.over else None)


def as_json(verdict: TournamentVerdict) -> str:
    """Return a verdict as one JSON object."""
    whole: Mapping[str, object] = {"conclusion": verdict.conclusion.value, **msgspec.to_builtins(verdict)}
    return msgspec.json.encode(whole).decode()


def as_text(verdict: TournamentVerdict) -> str:
    """Return a verdict in sentences: the first line says what came of it, and how much was not checked."""
    return "\n".join(map(make_printable, _sentences(verdict)))


def _sentences(verdict: TournamentVerdict) -> Iterator[str]:
    if verdict.finding is not None:
        yield describe_finding(verdict.finding)
    else:
        counts = f"{verdict.rounds} rounds, {verdict.tables} tables"
        name = f"Tournament {verdict.tournament} ({verdict.game})"
        left = f"nothing is wrong; not checked: {len(verdict.open)}, listed below"
        yield f"{name} is undecided: {left}; {counts}." if verdict.open else f"{name} is right: {counts}."
    if verdict.compared:
        yield f"Compared: {', '.join(verdict.compared)}."
    yield from (f"Not checked: {each}." for each in verdict.open)
