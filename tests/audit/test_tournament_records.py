"""What a tournament's check says of tables and records that another service could show: wrong, or named as not compared."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from tafelrunde.audit import tournament_check
from tafelrunde.audit.check_record import Evidence
from tafelrunde.audit.remote import TO_SEATS, NotShown
from tafelrunde.audit.tournament_check import NO_DRAW, NO_NONCE, NO_PLACE, Shown
from tafelrunde.client.entries import KeptTournament
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.commands import BotPlay, OpenMatch, Play, Seating, StartMatch, VoidMatch
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.errors import NotFound
from tafelrunde.service.features.tournaments.standings import ranks_of
from tests.audit.test_tournament_check import Cup, changed, check_shown, with_facts
from tests.service.features.records.test_record import CODEC, Story
from tests.support.served import Service, service

pytestmark = pytest.mark.xdist_group("client")
Download = Callable[[str, str | None], bytes]
COMMAND = 5


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


@pytest.fixture(scope="module")
def cup(served: Service, tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """A tournament that is over."""
    return Cup(served, tmp_path_factory.mktemp("kept"))


class Table:
    """The table of the cup's player in a round, and the record of its match; rounds count from 1."""

    def __init__(self, cup: Cup, number: int = 1) -> None:
        self.cup = cup
        self.round = number
        self.match = MatchId(cup.matches[number - 1])
        tables = cup.rounds[number - 1].tables
        self.number = next(place for place, each in enumerate(tables) if each.match == self.match)
        self.chairs = tables[self.number].chairs
        self.record = tournament_check.download_record(f"{cup.service.url}/api/v1/matches/{self.match}", cup.token)

    @property
    def opening(self) -> OpenMatch:
        """The command that opened the match."""
        entry = json.loads(self.record.splitlines()[1])["bytes"]
        command = CODEC.command_of(msgspec.msgpack.decode(base64.b64decode(entry))[COMMAND])
        assert isinstance(command, OpenMatch)
        return command

    def show(self, **fields: Any) -> Shown:
        """Return the tournament with another table."""
        return changed(Shown(self.cup.sheet, self.cup.rounds), self.round, self.number, **fields)

    def play(self, opening: OpenMatch, *, corrected: bool = False) -> Story:
        """Return the match as another opening makes it, played at random to its end."""
        told = Story(self.match)
        told.do(msgspec.structs.replace(opening, commitment=commitment_to(self.match, opening.secret)))
        if not opening.start:
            told.do(StartMatch(opening.host))
        players = {each.seat: each.player for each in opening.seating}
        rng = random.Random(1)
        while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
            seat = ask.open[0]
            move = rng.choice(told.match.game.legal(told.match.table, seat))
            player = players[seat]
            told.do(Play(player, decision, move) if player is not None else BotPlay(seat, decision, move))
        if corrected:
            told.do(VoidMatch("a wrong score"))
        return told

    def show_result(self, told: Story) -> Shown:
        """Return the tournament with the result of another match at this table."""
        ranks = ranks_of(told.match)
        return self.show(chairs=tuple(msgspec.structs.replace(each, rank=ranks[seat]) for seat, each in enumerate(self.chairs)))

    def download(self, answer: bytes | Exception) -> Download:
        """Return a download that answers so for this match, and as the service for any other."""
        whole = tournament_check.download_record

        def download(address: str, token: str | None) -> bytes:
            if not address.endswith(self.match):
                return whole(address, token)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return download


def check_table(table: Table, answer: bytes | Exception, shown: Shown | None = None) -> str | tuple[str, ...]:
    """Return the verdict of the check if the service gives this answer about the match of a table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament_check, "download_record", table.download(answer))
        return check_shown(table.cup, shown or table.show())


def replace_seating(opening: OpenMatch, change: Callable[[Seating], Seating]) -> OpenMatch:
    """Return an opening whose players are seated in another way."""
    seating = tuple(each if each.player is None else change(each) for each in opening.seating)
    return msgspec.structs.replace(opening, seating=seating)


def test_record_of_another_match_than_the_terms_fix_is_wrong(cup: Cup) -> None:
    """Each record is right by itself, and belongs to the table by its id."""
    table = Table(cup)
    own = table.opening
    settings = msgspec.structs.replace(own.settings, options={**own.settings.options, "fifth_role": "inquisitor"})
    nameless = replace_seating(own, lambda seat: msgspec.structs.replace(seat, nonce=""))
    forged: Mapping[str, OpenMatch] = {
        "the settings of the tournament": msgspec.structs.replace(own, settings=settings),
        "draws of the newest version": msgspec.structs.replace(own, draws=UNSET, bot_chance=UNSET, bot_code=UNSET),
        "an ordinary match": msgspec.structs.replace(nameless, lesson=999),
        "the start in the command that opens the match": msgspec.structs.replace(own, start=False),
    }
    told = {what: table.play(opening) for what, opening in forged.items()}
    said = {what: check_table(table, b"".join(each.lines()), table.show_result(each)) for what, each in told.items()}
    assert said == {what: what for what in forged}


def test_nonce_that_differs_between_two_matches_is_wrong(cup: Cup) -> None:
    """An entrant has one nonce in all of its matches; nothing was kept here."""
    table = Table(cup, 2)
    told = table.play(replace_seating(table.opening, lambda seat: msgspec.structs.replace(seat, nonce="another")))
    said = check_table(table, b"".join(told.lines()), table.show_result(told))
    assert said == f"the nonce of entrant {cup.sheet.facts.entry}"


def test_answer_that_is_no_right_record_of_the_match_is_wrong(cup: Cup) -> None:
    """One that is cut off, that of another match, and none."""
    table = Table(cup)
    answers: Mapping[str, bytes | Exception] = {
        "number of lines": b"".join(table.record.splitlines(keepends=True)[:-1]),
        "the match of the record": Table(cup, 2).record,
        "the match": NotFound("no such match"),
    }
    assert {what: check_table(table, each) for what, each in answers.items()} == {what: what for what in answers}


def test_record_that_does_not_prove_a_table_leaves_the_tournament_undecided(cup: Cup) -> None:
    """Cards that were not committed to, a bot in a player's place, a correction, and a record that is not shown."""
    table = Table(cup, 2)
    own = table.opening
    uncommitted = table.play(msgspec.structs.replace(own, dealing=UNSET))
    bot = next(each for each in own.seating if each.player is None)
    played_by_bots = table.play(replace_seating(own, lambda seat: msgspec.structs.replace(bot, seat=seat.seat)))
    corrected = table.play(own, corrected=True)
    place = f"round 2, table {table.number}"
    answers: Mapping[str, tuple[bytes | Exception, Shown]] = {
        f"{place}: the record of {table.match} is undecided": (b"".join(uncommitted.lines()), table.show_result(uncommitted)),
        f"{place}: a bot sat down for entrant": (b"".join(played_by_bots.lines()), table.show_result(played_by_bots)),
        f"{place}: its result was corrected": (
            b"".join(corrected.lines()),
            table.show(chairs=tuple(msgspec.structs.replace(each, rank=seat + 1) for seat, each in enumerate(table.chairs))),
        ),
        f"{place}: {TO_SEATS}": (NotShown("a record", 403), table.show()),
    }
    for what, (answer, shown) in answers.items():
        said = check_table(table, answer, shown)
        assert any(each.startswith(what) for each in said if isinstance(said, tuple)), (what, said)


def test_table_that_is_not_over_leaves_the_tournament_undecided(cup: Cup) -> None:
    """Before its match, during it, and where no match was played for a player."""
    table = Table(cup, 2)
    place = f"round 2, table {table.number}"
    unranked = tuple(msgspec.structs.replace(each, rank=None) for each in table.chairs)
    shown = {
        f"{place}: its match has not begun": table.show(match=None, over=False, chairs=unranked),
        f"{place}: its match is not over": table.show(over=False, chairs=unranked),
        f"{place}: no match was played, as if its players were all deleted": table.show(match=None, chairs=unranked),
    }
    for what, each in shown.items():
        said = check_shown(cup, each)
        assert isinstance(said, tuple), said
        assert what in said


def test_what_was_not_kept_or_not_shown_leaves_the_tournament_undecided(cup: Cup) -> None:
    """The secret of the pairings, and the nonce and place of the player who checks."""
    shown = Shown(cup.sheet, cup.rounds)
    own = cup.kept
    cases: Mapping[str, tuple[Shown, KeptTournament]] = {
        NO_DRAW: (with_facts(shown, draw_secret=None), own),
        NO_NONCE: (shown, msgspec.structs.replace(own, nonce="")),
        NO_PLACE: (shown, msgspec.structs.replace(own, player="")),
    }
    assert {what: check_shown(cup, *each) for what, each in cases.items()} == {what: (what,) for what in cases}


def test_kept_file_of_a_match_counts_in_the_check_of_its_tournament(cup: Cup, tmp_path: Path) -> None:
    """One that the record contradicts is wrong, and one that proves too little leaves the tournament undecided."""
    own = cup.kept_of(cup.matches[0])
    root = msgspec.structs.replace(own.deals[0], root="0" * 64)
    path = tmp_path / f"{own.match}.kept.json"
    shown = Shown(cup.sheet, cup.rounds)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(own, deals=(root, *own.deals[1:]))))
    assert check_shown(cup, shown, cup.kept, Evidence(kept=tmp_path)) == "the root of deal 1"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(own, feed=None, marks=())))
    [left] = check_shown(cup, shown, cup.kept, Evidence(kept=tmp_path))
    assert left.endswith(f"of {own.match} not all of it is proved")
