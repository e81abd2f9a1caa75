"""A test that finds nothing proves nothing: leaks are planted in every place, and each is found where it is."""

from __future__ import annotations

from collections.abc import Callable, Set

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support import clockwork
from tests.support.facts import Watched, facts_of
from tests.whole.hidden import leaking_feeds, leaks
from tests.whole.hidden.asking import ABOUT, ACTS
from tests.whole.hidden.playing import played
from tests.whole.hidden.worlds import Finding

SEAT, SPECTATOR, STRANGER = ("seat",), ("spectator",), ("stranger",)
TOKENS = (*SEAT, *STRANGER)
ALL = (*SEAT, *SPECTATOR, *STRANGER)


PAIRS = Watched("pairs", 6, 3)
"""A table of Coup at which a seat has two equal cards in one world, and has to part with one of them."""
ABSENT = Watched("absent", 5, 3)
"""A table of MatchMaster at which a player who has left answers in one world, while others are asked."""


def found(game: str, wanted: Set[Finding], table: Watched | None = None) -> Set[Finding]:
    """Return which of the wanted places and viewers can distinguish the worlds."""
    table = table or facts_of(GameId(game)).planted
    both = clockwork.run(played(GameId(game), table.seats, table.seed, table.options, wanted=wanted))
    return wanted & (both.found or set())


@pytest.mark.parametrize("game", GAMES)
def test_leak_in_every_answer_is_found_in_every_answer(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every operation, and every viewer of it, is compared."""
    leaks.everywhere(monkeypatch)
    wanted = {(way.operation, kind) for way in ABOUT for kind in ALL if kind != "seat" or way.operation not in ACTS}
    assert found(game, wanted) == wanted


@pytest.mark.parametrize(
    ("leak", "places", "kinds", "game"),
    [
        pytest.param(leaks.body, ("getView",), ALL, "mondkrone", id="body"),
        pytest.param(leaks.length, ("getView",), ALL, "stich-meister", id="length"),
        pytest.param(leaks.tag, ("getView",), ALL, "matchmaster", id="entity-tag"),
        pytest.param(leaks.order_of_headers, ("getView",), ALL, "meister-coup", id="order-of-headers"),
        pytest.param(leaks.budget, ("getView", "getMatch"), ALL, "coup", id="rate-limit"),
        pytest.param(leaks.legal, ("getView",), SEAT, "stich-meister", id="legal-list"),
        pytest.param(leaks.refused, ("getView",), SEAT, "mondkrone", id="refused-list"),
        pytest.param(leaks.perspective, ("getView",), ALL, "meister-coup", id="perspective"),
        pytest.param(leaks.field, ("getView",), ALL, "matchmaster", id="field-of-the-domain"),
        pytest.param(leaks.audience, ("getFeed", "stream", "socket"), ALL, "coup", id="event-for-one-seat"),
        pytest.param(leaks.refusal, ("giveCommand", "dry run"), SEAT, "mondkrone", id="refusal"),
        pytest.param(leaks.closed, ("giveCommand", "dry run"), SEAT, "coup", id="decision-closed"),
        pytest.param(leaks.dry_run, ("dry run",), SEAT, "stich-meister", id="dry-run"),
        pytest.param(leaks.too_early, ("openWhatIf",), TOKENS, "coup", id="not-over"),
        pytest.param(leaks.dated, ("getMatch",), ALL, "coup", id="time-in-facts"),
        pytest.param(leaks.open_seats, ("getMatch",), ALL, "stich-meister", id="open-in-facts"),
        pytest.param(leaks.lobby, ("listMatches",), ALL, "matchmaster", id="order-of-lobby"),
        pytest.param(leaks.own_list, ("listMyMatches",), SEAT, "coup", id="own-list"),
        pytest.param(leaks.delivery, ("listDeliveries",), SEAT, "coup", id="webhook"),
        pytest.param(leaks.proof, ("listProofs", "getProof"), ALL, "meister-coup", id="proofs"),
        pytest.param(leaks.record, ("getRecord",), ALL, "mondkrone", id="record"),
        pytest.param(leaks.figures, ("getMetrics",), ALL, "coup", id="metrics"),
        pytest.param(leaks.log, ("log",), SPECTATOR, "stich-meister", id="log"),
        pytest.param(leaking_feeds.numbers, ("getFeed", "stream", "socket", "poll"), ALL, "coup", id="numbers-of-items"),
        pytest.param(leaking_feeds.cursors, ("getFeed", "getView", "stream"), ALL, "stich-meister", id="cursors"),
        pytest.param(leaking_feeds.count, ("getFeed", "stream", "socket", "poll"), ALL, "coup", id="number-of-items"),
        pytest.param(leaking_feeds.moved, ("socket",), ALL, "coup", id="frame-without-items"),
        pytest.param(leaking_feeds.order, ("getFeed", "stream"), ALL, "mondkrone", id="order-of-items"),
        pytest.param(leaking_feeds.dates, ("getFeed",), ALL, "stich-meister", id="times-of-items"),
        pytest.param(leaking_feeds.receipt, ("receipt",), SEAT, "meister-coup", id="receipt"),
        pytest.param(leaking_feeds.wake, ("poll",), ALL, "coup", id="poll-that-wakes"),
        pytest.param(leaking_feeds.ping, ("stream",), ALL, "coup", id="ping"),
        pytest.param(leaking_feeds.chunks, ("stream",), ALL, "matchmaster", id="chunks"),
        pytest.param(leaking_feeds.gone, ("resumed",), ALL, "coup", id="end-of-stream"),
    ],
)
def test_leak_is_found_where_it_is_planted(
    leak: Callable[[pytest.MonkeyPatch], None],
    places: tuple[str, ...],
    kinds: tuple[str, ...],
    game: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each place, as each kind of viewer that gets something there."""
    leak(monkeypatch)
    wanted = {(place, kind) for place in places for kind in kinds}
    assert found(game, wanted) == wanted


@pytest.mark.parametrize(
    ("leak", "places", "game", "table"),
    [
        pytest.param(leaks.skipped, ("getFeed", "getMatch", "getView"), "coup", PAIRS, id="question-left-out"),
        pytest.param(leaks.pace, ("getFeed", "getMatch", "getView"), "coup", PAIRS, id="pace-of-a-question"),
        pytest.param(leaks.returned, ("getFeed", "getView"), "matchmaster", ABSENT, id="back-by-an-answer"),
    ],
)
def test_leak_is_found_when_it_needs_its_case(
    leak: Callable[[pytest.MonkeyPatch], None],
    places: tuple[str, ...],
    game: str,
    table: Watched,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether a seat is asked, for how long, and who is back must not depend on cards and answers that are not to be seen."""
    leak(monkeypatch)
    wanted = {(place, kind) for place in places for kind in ALL}
    assert found(game, wanted, table) == wanted
