"""A tournament checked from outside: what its player has kept, its commitments, pairings, ids of matches, and their records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tafelrunde.audit.check_record import Evidence
from tafelrunde.audit.tournament_check import (
    NO_DEALS,
    NOTHING_KEPT,
    OLD_IDS,
    Shown,
    TournamentCheck,
    Wrong,
    as_text,
    check_tournament,
)
from tafelrunde.client import ApiError, Client
from tafelrunde.client.entries import KeptTournament, match_of_table, matches_of, read_tournament
from tafelrunde.client.keeping import Kept, read_kept
from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.features.records.verdict import Conclusion
from tafelrunde.service.features.tournaments import commitments
from tafelrunde.service.features.tournaments import duty as director
from tafelrunde.service.features.tournaments.duty import Director
from tafelrunde.service.features.tournaments.port import TournamentId
from tafelrunde.service.matches.ids import DerivedIds
from tests.support.processes import run, until
from tests.support.served import Service, service

pytestmark = pytest.mark.xdist_group("client")
WISH = {"name": "Cup", "game": "coup", "seats": 2, "kind": "swiss", "rounds": 2, "spectators": "public"}


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


class Cup:
    """A tournament of one player and three bots, played to its end by a client that keeps a folder."""

    def __init__(self, served: Service, folder: Path, *, rounds: int = 2) -> None:
        self.service = served
        self.folder = folder
        self.matches: list[str] = []
        with Client(served.url, keep=folder) as client:
            client.sign_up()
            self.token = client.token
            self.id = client.open_tournament(**{**WISH, "rounds": rounds}, bots=["random"] * 3).facts.tournament
            client.start_tournament(self.id)
            while (sheet := self.step(client)).facts.stage == "running":
                match = sheet.facts.your_match
                if match is not None and match not in self.matches:
                    play_out(client, match)
                    self.matches.append(match)
            self.sheet = sheet
            self.rounds = [client.tournament_round(self.id, number) for number in range(1, rounds + 1)]

    def step(self, client: Client) -> Any:
        """Let the service do what is due, and return the tournament after it."""
        assert self.service.application is not None
        self.service.do(self.service.application.get(Director).tend(TournamentId(self.id)))
        return client.tournament(self.id)

    @property
    def address(self) -> str:
        """Where it is, as people copy it."""
        return f"{self.service.url}/#/tournaments/{self.id}"

    @property
    def kept(self) -> KeptTournament:
        """What was kept of it."""
        return read_tournament((self.folder / f"{self.id}.tournament.json").read_bytes())

    def kept_of(self, match: str) -> Kept:
        """What was kept of one of its matches."""
        return read_kept((self.folder / f"{match}.kept.json").read_bytes())


def play_out(client: Client, match: str) -> None:
    """Play a match to its end, and receive all of it."""
    for _ in client.follow(match):
        view = client.view(match)
        if view.question is None or view.status != "running":
            continue
        try:
            client.play(match, view.question.decision, view.question.legal[0])
        except ApiError as error:
            if "decision-closed" not in error.problem.type:
                raise


@pytest.fixture(scope="module")
def cup(served: Service, tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """A tournament that is over."""
    return Cup(served, tmp_path_factory.mktemp("kept"))


def test_client_keeps_a_tournament_and_its_matches(cup: Cup) -> None:
    """The terms as they were before the nonce, the nonce, who was ahead; and of each match all that proves its deal."""
    kept = cup.kept
    assert (kept.terms.tournament, kept.terms.public_ids, kept.ahead) == (cup.id, True, ("random",) * 3)
    assert (len(kept.nonce), kept.terms.draw_commitment) == (32, cup.sheet.facts.draw_commitment)
    assert len(cup.matches) == 2
    for match in cup.matches:
        of_match = cup.kept_of(match)
        assert (of_match.nonce, of_match.tournament) == (kept.nonce, kept.terms)
        assert of_match.seat is not None
        assert of_match.deals
        assert of_match.feed is not None
        assert of_match.marks


def test_ids_of_the_client_are_those_of_the_service() -> None:
    """Both compute them from public values, each on its own; and a tournament has no two matches with one id."""
    tournament = "c" + "a" * 24
    assert match_of_table(tournament, 3, 7) == commitments.match_of_table(tournament, 3, 7)
    found = matches_of(tournament)
    assert len(found) == 63 * 32
    assert all(commitments.place_of_match(tournament, match) == found[match] for match in list(found)[::500])
    assert commitments.place_of_match("c" + "b" * 24, next(iter(found))) is None


def test_tournament_that_was_kept_is_right(cup: Cup) -> None:
    """On the command line, with the folder of the client; without what was kept it is undecided, and a match is no tournament."""
    logged(cup)
    done = run("verify", "--tournament", cup.address, "--kept", str(cup.folder))
    assert done.returncode == 0, done.stdout + done.stderr
    first, compared = done.stdout.splitlines()
    assert first == f"Tournament {cup.id} (coup) is right: 2 rounds, 4 tables."
    for what in (
        "the secret of the deals",
        "your nonce",
        "the ids of the matches",
        "the pairings",
        "the kept files of your matches",
    ):
        assert what in compared
    alone = check_tournament(cup.address, None, Evidence())
    assert (alone.conclusion, alone.open) == (Conclusion.UNDECIDED, (NOTHING_KEPT,))
    assert as_text(alone).startswith(f"Tournament {cup.id} (coup) is undecided: nothing is wrong; not checked: 1, listed below; ")
    assert run("verify", "--tournament", f"{cup.service.url}/#/match/{cup.matches[0]}").returncode == 2
    with pytest.raises(StartupRefused):
        check_tournament(cup.address, None, Evidence(kept=cup.folder / f"{cup.matches[0]}.kept.json"))


def logged(cup: Cup) -> None:
    """Wait until the log has the ends of all matches."""
    with Client(cup.service.url) as client:
        for match in cup.matches:
            until("the match is in the log", lambda match=match: has_proofs(client, match))


def has_proofs(client: Client, match: str) -> bool:
    """Return whether a match is in the log."""
    try:
        return bool(client.log_proofs(match).leaves)
    except ApiError:
        return False


def test_match_of_a_tournament_is_proved_by_what_was_kept_of_both(cup: Cup) -> None:
    """The nonce came with the opening of the match, but after the tournament had committed to its deals."""
    logged(cup)
    address = f"{cup.service.url}/api/v1/matches/{cup.matches[0]}"
    done = run("verify", address, "--kept", str(cup.folder))
    assert (done.returncode, "match, tournament, nonce, roots, feed" in done.stdout) == (0, True), done.stdout + done.stderr


def check_shown(
    cup: Cup, shown: Shown, kept: KeptTournament | None = None, evidence: Evidence | None = None
) -> str | tuple[str, ...]:
    """Return the errors or open points of a changed tournament, checked against the service's own records."""
    check = TournamentCheck(cup.service.url, None, evidence or Evidence(), shown, kept)
    try:
        steps = [*check.steps()]
    except Wrong as wrong:
        return wrong.finding.what
    without_evidence = (NOTHING_KEPT,) if kept is None else ()
    left = dict.fromkeys(what for what, agrees in steps if not agrees)
    return tuple(each for each in left if each not in without_evidence)


def changed(shown: Shown, number: int, table: int, **fields: Any) -> Shown:
    """Return a tournament with another table."""
    rounds = [*shown.rounds]
    tables = [*rounds[number - 1].tables]
    tables[table] = msgspec.structs.replace(tables[table], **fields)
    rounds[number - 1] = msgspec.structs.replace(rounds[number - 1], tables=tuple(tables))
    return Shown(shown.sheet, rounds)


def with_facts(shown: Shown, **fields: Any) -> Shown:
    """Return a tournament with other facts."""
    return Shown(msgspec.structs.replace(shown.sheet, facts=msgspec.structs.replace(shown.sheet.facts, **fields)), shown.rounds)


def test_anything_else_than_was_fixed_or_kept_is_wrong(cup: Cup) -> None:
    """Secrets, commitments, settings, ids, results, seats and pairings, each changed alone."""
    shown = Shown(cup.sheet, cup.rounds)
    mine = next(table for table, each in enumerate(cup.rounds[0].tables) if each.match == cup.matches[0])
    other = next(table for table in range(2) if table != mine)
    chairs, bots = cup.rounds[0].tables[mine].chairs, cup.rounds[0].tables[other].chairs
    swapped = msgspec.structs.replace(bots[0], entrant=bots[1].entrant), msgspec.structs.replace(bots[1], entrant=bots[0].entrant)
    seated = next(seat for seat, each in enumerate(chairs) if each.entrant == cup.sheet.facts.entry)
    ranked = [msgspec.structs.replace(each, rank=3 - (each.rank or 0)) for each in chairs]
    forged: dict[str, tuple[Shown, KeptTournament]] = {
        "the secret of the pairings": (with_facts(shown, draw_secret="0" * 64), cup.kept),
        "the secret of the deals": (with_facts(shown, deal_secret="0" * 64), cup.kept),
        "the commitments": (
            with_facts(shown, deal_secret="0" * 64, deal_commitment=commitments.deal_commitment(cup.id, "0" * 64)),
            cup.kept,
        ),
        "ids of matches that follow from public values": (with_facts(shown, public_ids=False), cup.kept),
        "the settings": (with_facts(shown, options={**cup.sheet.facts.options, "fifth_role": "inquisitor"}), cup.kept),
        "the entrants ahead of you": (shown, msgspec.structs.replace(cup.kept, ahead=("random",) * 2)),
        "your nonce": (shown, msgspec.structs.replace(cup.kept, nonce="another")),
        "the id of the match": (changed(shown, 1, mine, match=cup.matches[1]), cup.kept),
        "the result that counts": (changed(shown, 1, mine, chairs=tuple(ranked)), cup.kept),
        f"who sits on seat {seated}": (changed(shown, 1, mine, chairs=(chairs[1], chairs[0])), cup.kept),
        "who meets whom": (changed(shown, 1, other, chairs=swapped), cup.kept),
    }
    said = {what: check_shown(cup, *each) for what, each in forged.items()}
    assert said == {what: what for what in forged}


def test_secret_that_is_not_that_of_the_table_is_wrong(cup: Cup) -> None:
    """With another secret of the deals, and its commitment; nothing was kept here, so the table itself has to show it."""
    other = with_facts(
        Shown(cup.sheet, cup.rounds), deal_secret="0" * 64, deal_commitment=commitments.deal_commitment(cup.id, "0" * 64)
    )
    assert check_shown(cup, other) == "the secret of the table"


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (lambda shown: with_facts(shown, deal_secret=None), NO_DEALS),
        (lambda shown: with_facts(shown, public_ids=False), OLD_IDS),
    ],
)
def test_what_is_not_public_leaves_a_tournament_undecided(cup: Cup, change: Callable[[Shown], Shown], left: str) -> None:
    """The secret of the deals before the end, and ids that took a key of the service."""
    assert check_shown(cup, change(Shown(cup.sheet, cup.rounds))) == (left,)


def test_ids_that_a_service_chooses_after_it_knows_the_nonces_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key for each try it would choose the deals: a service that does so and says that its ids are public is wrong."""

    def chosen(tournament: str, number: int, table: int) -> MatchId:
        return DerivedIds(b"a key that pleases the operator").match("tournament", tournament, str(number), str(table))

    monkeypatch.setattr(director, "match_of_table", chosen)
    with service() as served:
        cup = Cup(served, tmp_path, rounds=1)
        done = run("verify", "--tournament", cup.address, "--kept", str(cup.folder))
    assert (done.returncode, "the id of the match" in done.stdout) == (1, True), done.stdout + done.stderr
