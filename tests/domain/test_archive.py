"""The archive of finished matches: whichever version wrote them, they always fold to the states that they had.

A change that breaks this needs an upcaster or a new version of the rules, never a new archive. `make archive-matches` adds
matches for new options and new versions of rules.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path
from typing import cast

import msgspec
import pytest

from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import AnyGame, GameId
from tafelrunde.domain.match import Status
from tafelrunde.domain.match.events import MATCH_EVENTS, MatchOpened
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.record import Recorder, encode_lines, tag_of
from tafelrunde.service.features.records.verdict import Conclusion, Finding, Verdict
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches.codec import digest_of, plain_of
from tafelrunde.service.ports.events import GENESIS, chain_over
from tests.support.cases import CASES
from tests.support.facts import facts_of
from tests.support.thorough import tries
from tools.archive_matches import CODEC, Kept, Writer, add, kept, loaded_of, missing, path_of, plans

LEAST = 100
PARTS, ENOUGH = 4, 2
SMALL = 2_000_000
"""Bytes that no archive should need so far."""

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
every_part = pytest.mark.parametrize("part", range(PARTS))


@functools.cache
def archive(game: AnyGame) -> tuple[Kept, ...]:
    """Return all matches of a game's archive."""
    return tuple(kept(path_of(game)))


@every_game
def test_archive_has_matches_of_all_options_and_seats(game: AnyGame) -> None:
    """At least 100 of each game under today's rules, each with the name of its plan; run `make archive-matches`."""
    names = {match.plan for match in archive(game) if match.rules_version == game.rules_version}
    assert len(names) >= LEAST
    assert {plan.name for plan in plans(game)} <= names
    assert {case.name for case in CASES if case.game is game} <= {name.rpartition("/")[0] for name in names}
    assert path_of(game).stat().st_size < SMALL


def fold(match: Kept) -> None:
    """Fold a match, and compare every state digest, the last state, the hash chain and the status with what was kept."""
    state = Match(GAMES)
    entries = match.raw()
    for number, entry in enumerate(entries, start=1):
        envelope, event = CODEC.decode(entry)
        state.fold(event)
        assert not envelope.digest or envelope.digest == digest_of(state), (match.plan, number)
    found = (chain_over(GENESIS, entries).hex(), digest_of(state).hex(), state.status)
    assert found == (match.chain, match.state, match.status), match.plan


def verdict_of(match: Kept) -> Verdict:
    """Return what comes of checking a match by today's rules."""
    return verify(encode_lines(Recorder(CODEC).lines(match.match, loaded_of(match))), GAMES, CODEC)


def finding_of(match: Kept) -> Finding | None:
    """Return what is wrong with a match by today's rules."""
    return verdict_of(match).finding


@functools.cache
def tags(game: AnyGame) -> frozenset[str]:
    """Return the tags of all events in a game's archive."""
    return frozenset(str(plain_of(CODEC.decode(entry)[0].event)["type"]) for match in archive(game) for entry in match.raw())


@every_game
def test_archived_matches_fold_to_the_states_they_were_written_with(game: AnyGame) -> None:
    """Whatever has become of the rules since."""
    for match in archive(game):
        fold(match)


@every_part
@every_game
def test_archived_matches_are_found_right_by_the_rules_that_they_were_played_by(game: AnyGame, part: int) -> None:
    """Everything done again, one match for each set of options and seats and each version of the rules: all are kept.

    A third of the sets is tried, of every game; all of them in the thorough profile. Every match of the archive is folded above.
    """
    each = {(match.rules_version, match.plan.rpartition("/")[0] or match.plan): match for match in archive(game)}
    for match in [*each.values()][:: tries(3, 1)][part::PARTS]:
        verdict = verdict_of(match)
        assert verdict.finding is None, match.plan
        assert verdict.decided, "a version that is not kept by its game"


@every_game
def test_archive_knows_every_kind_of_events_of_the_game(game: AnyGame) -> None:
    """No event that can happen is without matches in which it did."""
    assert {tag_of(kind) for kind in game.event_types} <= tags(game)


def test_archives_know_every_kind_of_events_around_the_table() -> None:
    """All together, but for what happens before a start, and what only matches that are younger than the archives know."""
    stored = frozenset[str]().union(*map(tags, GAMES.values()))
    younger = {
        *("match.return-noted.1", "match.seat-played.1", "match.seat-forfeited.1", "match.expired.1"),
        *("match.lesson-begun.1", "match.deal-of-day.1", "match.table-waits.1", "match.table-goes-on.1"),
    }
    before = {"match.seat-left.1", "match.seat-cleared.1", "match.seat-reserved.1", "match.host-passed.1"}
    assert {tag_of(kind) for kind in MATCH_EVENTS} - stored == before | younger


@every_game
def test_every_match_says_which_rules_it_was_played_by(game: AnyGame) -> None:
    """In its first event."""
    for match in archive(game):
        event = CODEC.decode(match.raw()[0])[1]
        assert isinstance(event, MatchOpened)
        assert (event.game, event.rules_version) == (game.id, match.rules_version)


def test_running_match_goes_on_by_the_rules_that_it_began_with() -> None:
    """A match of version 1 of Coup that still runs is decided by version 1, which does not ask a seat that has equal cards."""
    coup = GAMES[GameId("coup")]
    old = next(match for match in archive(coup) if match.rules_version == 1)
    state = Match(GAMES)
    for entry in old.raw():
        envelope, event = CODEC.decode(entry)
        if state.status is Status.RUNNING:
            assert state.game.rules_version == 1
            assert cast("CoupTable", state.table).copy().pairs_known
        state.fold(event)
        assert envelope.digest in {b"", digest_of(state)}
    assert (coup.rules_version, state.status) == (2, old.status)


def test_adding_leaves_what_is_there(tmp_path: Path) -> None:
    """New matches come behind the others, in a frame of their own, and nothing comes twice."""
    game = next(iter(GAMES.values()))
    path = tmp_path / "some.ndjson.zst"
    shutil.copy(path_of(game), path)
    before = path.read_bytes()
    matches = list(kept(path))
    assert add(path, missing(game, path)) == 0
    assert path.read_bytes() == before
    more = msgspec.structs.replace(matches[0], plan="another")
    assert add(path, [more]) == 1
    assert path.read_bytes().startswith(before)
    assert list(kept(path)) == [*matches, more]


def test_same_plan_gives_the_same_match() -> None:
    """So additions to the archive can be reviewed and reproduced."""
    game = next(iter(GAMES.values()))
    plan = next(plans(game))
    again = [Writer(plan, game.rules_version).written() for _ in range(2)]
    assert again[0] == again[1]


# What becomes of old matches when a rule changes. The facts of each game have a change that its table never sees.


@every_game
def test_changed_rule_does_not_change_old_matches(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """They fold to the same states (some are tried): what happened is in their events. The verifier names what is another now."""
    facts_of(game.id).changed_rule(monkeypatch)
    wrong: list[Finding] = []
    for match in archive(game)[:: tries(5, 1)]:
        fold(match)
        if match.rules_version == game.rules_version and len(wrong) < ENOUGH and (finding := finding_of(match)) is not None:
            wrong.append(finding)
    assert len(wrong) == ENOUGH
    assert {finding.what for finding in wrong} <= {"the event that the rules give", "all events of the last command"}
    assert all(finding.expected != finding.found for finding in wrong)


@every_game
def test_matches_of_older_rules_are_not_called_wrong(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule change gets a new version. What was played before folds, and none of it is decided again."""
    match = next(match for match in archive(game) if match.rules_version == game.rules_version)
    facts_of(game.id).changed_rule(monkeypatch)
    monkeypatch.setattr(type(game), "rules_version", game.rules_version + 1)
    fold(match)
    verdict = verdict_of(match)
    assert (verdict.conclusion, verdict.finding) == (Conclusion.UNDECIDED, None)
    assert verdict.deals > 0
