"""The honest bot of Meister Coup: how well it plays, and what it makes of a trick."""

from __future__ import annotations

import random

import pytest

from tafelrunde.domain.bots import RandomBot
from tafelrunde.domain.game import Seat
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.bots.honest import HonestBot
from tafelrunde.domain.meister_coup.messages import AgreeToMember, MeisterCommand, PickCard, PlayCard, ProposeMember, TakeCards
from tafelrunde.domain.search import Steps
from tests.games.meister_coup.kit import Scene, card, cards
from tests.games.meister_coup.played import STANDARD, TEAM, Player, match_of, seated

MATCHES = 60


def choice(scene: Scene) -> MeisterCommand:
    """Return what the honest bot does on the seat that is asked first."""
    seat = Seat(scene.asked[0])
    return HonestBot().choose(GAME.view(scene.table, seat), GAME.legal(scene.table, seat), random.Random(1), Steps(100))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_honest_bot_wins_far_more_than_its_share_against_random_play(seats: int) -> None:
    """Alone among random ones it wins 1.5 times its fair share at least; in 1,000 matches more than twice, 60 allow for luck."""
    wins = 0
    for number in range(MATCHES):
        seat = Seat(number % seats)
        wins += match_of(seats, STANDARD, number, seated(seats, seat)).standing.winners == (seat,)
    assert wins / MATCHES >= 1.5 / seats


@pytest.mark.parametrize("seats", [4, 6])
def test_honest_team_wins_against_a_random_team(seats: int) -> None:
    """A team of honest bots wins at least three of four matches against a random one; in 1,000 matches nearly all."""
    wins = 0
    for number in range(MATCHES // 2):
        players: list[Player] = [HonestBot() if seat % 2 == number % 2 else RandomBot() for seat in range(seats)]
        wins += match_of(seats, TEAM, number, players).standing.winners[0] % 2 == number % 2
    assert wins / (MATCHES // 2) >= 0.75


def test_honest_bot_picks_the_card_that_wins_the_match() -> None:
    """The third Meistercoup is worth more than diamonds."""
    scene = Scene("v12 v1", "v11 v2", "y1 v3").give(s0="v3 b1 g1").enter(0, 0, 2).play("v12 v11 y1")
    assert choice(scene) == PickCard(card("y1"))


def test_honest_bot_picks_diamonds_when_colours_are_of_no_use() -> None:
    """In the last trick, without a Meistercoup in reach, points decide."""
    scene = Scene("v9", "v7", "b12", last=True).play("v9 v7 b12")
    assert choice(scene) == PickCard(card("b12"))


def test_honest_bot_takes_the_colours_that_it_lacks() -> None:
    """Of equal cards those are taken that complete a set."""
    scene = Scene("v10 v1", "v9 v2", "g4 v3", "b4 v4", "y2 v5").give(s1="v1 g1").play("v10 v9 g4 b4 y2")
    scene.pick("v10")
    assert choice(scene) == TakeCards(cards("b4 y2"))


def test_honest_bot_plays_the_card_that_wins_a_trick_worth_winning() -> None:
    """The last to play sees what each card brings."""
    scene = Scene("v8 v1", "b12 v2", "v5 g1").play("v8 b12")
    assert choice(scene) == PlayCard(card("v5"))


def test_honest_bot_proposes_its_best_member_and_gives_way() -> None:
    """It proposes the result that is worth most, and agrees to any other proposal."""
    hands = ["v9", "b5", "g1", "y2"]
    scene = Scene(*hands, last=True, mode="team").give(s0="b1", s2="b2 b3 b4 g2").play(" ".join(hands))
    scene.pick("v9")
    assert choice(scene) == ProposeMember(Seat(2))
    scene.propose(2, 0)
    assert choice(scene) == AgreeToMember()
