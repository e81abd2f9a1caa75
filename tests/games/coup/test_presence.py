"""A player who has lost all influence is asked nothing: the table neither waits for that player nor relies on it."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchSettings, PlayerId, Status
from tafelrunde.domain.match.commands import BotPlay, LeaveSeat, OpenMatch, Play, Seating, TakeSeat
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.events import TableGoesOn, TableWaits
from tafelrunde.domain.match.presence import is_paced
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import EDITION
from tafelrunde.domain.registry import GAMES
from tests.support.dice import Dice

ANNA, BERT = PlayerId("anna"), PlayerId("bert")
NOW_MS = 1_700_000_000_000


def opened(people: int, edition: int, seed: int) -> Match:
    """Return a running match of four seats: Anna, perhaps Bert, and bots."""
    players = (ANNA, BERT)[:people]
    seating = [Seating(seat=Seat(seat), player=player) for seat, player in enumerate(players)]
    seating += [Seating(seat=Seat(seat), bot=BotName("honest")) for seat in range(people, 4)]
    command = OpenMatch(
        settings=MatchSettings(game=GameId("coup"), seats=4, options={}, clock=Clock(away_seconds=300)),
        host=ANNA,
        secret="",
        commitment="",
        seating=tuple(seating),
        start=True,
        edition=edition,
    )
    return decide(Match(GAMES), command, Dice(("open", seed)), NOW_MS).match


def step(match: Match, seed: int, number: int) -> Match:
    """Let the first seat that is asked answer, with any of its legal commands."""
    ask, decision = match.pending(), match.open_decision()
    assert ask is not None
    assert decision is not None
    seat = ask.open[0]
    legal = match.game.legal(match.table, seat)
    command = legal[Dice((seed, number)).below("which", len(legal))]
    player = match.chairs[seat].player
    given = Play(player, decision, command) if player is not None else BotPlay(seat, decision, command)
    return decide(match, given, Dice((seed, number, "play")), NOW_MS).match


def with_anna_out(people: int, edition: int = EDITION) -> Match:
    """Return a running match in which Anna is out and all other seats play on."""
    for seed in range(200):
        match = opened(people, edition, seed)
        for number in range(400):
            if match.status is not Status.RUNNING:
                break
            in_play = [match.game.plays_on(match.table, Seat(seat)) for seat in range(4)]
            if in_play == [False, True, True, True]:
                return match
            if not all(in_play[1:]):
                break
            match = step(match, seed, number)
    raise AssertionError("no such match was found")


def leave(match: Match, player: PlayerId) -> tuple[list[type], Match]:
    """Return which facts a leaving player causes, and the match after that."""
    decided = decide(match, LeaveSeat(player), Dice("leave"), NOW_MS)
    return [type(event) for event in decided.events], decided.match


def test_place_of_the_last_player_in_the_game_is_kept_while_another_who_is_out_sits_there() -> None:
    """Without Anna at the table, it would wait as well. It goes on when Bert is back, not by Anna's coming and going."""
    caused, match = leave(with_anna_out(2), BERT)
    assert caused[-1] is TableWaits
    caused, match = leave(match, ANNA)
    assert TableWaits not in caused
    decided = decide(match, TakeSeat(player=ANNA), Dice("back"), NOW_MS)
    assert not any(isinstance(event, TableGoesOn) for event in decided.events)
    assert decided.match.waits_until_ms is not None
    decided = decide(decided.match, TakeSeat(player=BERT), Dice("back"), NOW_MS)
    assert isinstance(decided.events[-1], TableGoesOn)


def test_table_does_not_wait_for_a_player_who_is_out() -> None:
    """Bots finish the match at once, since there is no one whom they could leave time to follow."""
    match = with_anna_out(1)
    assert is_paced(match), "Anna watches"
    caused, match = leave(match, ANNA)
    assert TableWaits not in caused
    assert match.waits_until_ms is None
    assert not is_paced(match)


@pytest.mark.parametrize(("people", "player", "waits"), [(2, BERT, False), (1, ANNA, True)])
def test_match_of_an_older_edition_counts_who_is_out(people: int, player: PlayerId, waits: bool) -> None:
    """A stored command causes again what it caused then."""
    caused, _ = leave(with_anna_out(people, 3), player)
    assert (TableWaits in caused) is waits
