"""Team mode of Meister Coup: whose result is entered, and how a team agrees on it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from tafelrunde.domain.game import Refusal, Seat
from tafelrunde.domain.match import Status
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.events import MatchWon, MeisterDealt, MemberAgreed, MemberProposed, Reason, ResultEntered
from tafelrunde.domain.meister_coup.messages import AgreeToMember, MeisterOptions, ProposeMember
from tafelrunde.domain.meister_coup.moves import MOST_PROPOSALS
from tafelrunde.domain.secrecy import redact
from tafelrunde.testing.suites.test_ends import play_out
from tests.games.meister_coup.kit import Scene, kinds
from tests.support.cases import GAMES, Case

TEAM = MeisterOptions(mode="team")
FOUR = ["v9", "b5", "g1", "y2"]
SIX = ["v9", "v8", "b2", "b3", "y12", "g1"]


def voting(seats: int = 4, *, number: int = 1, **taken: str) -> Scene:
    """Return a scene in which the last trick of a round has just been taken; the seats have taken these cards before.

    In that trick seat 0 picks the violet 9, worth two points, and seat 1 gets two cards without diamonds.
    """
    hands = FOUR if seats == 4 else SIX
    scene = Scene(*hands, number=number, last=True, mode="team").give(**taken).play(" ".join(hands))
    scene.pick(hands[0])
    return scene


def results(scene: Scene) -> list[tuple[int, int]]:
    """Return points and Meistercoups that the teams have entered."""
    return [(side.points, side.meistercoups) for side in GAME.view(scene.table, None).sides]


def test_teams_sit_alternately_when_a_match_is_played_in_teams() -> None:
    """Seats of one team have a seat of the other on each side."""
    view = GAME.view(GAME.create(TEAM, 6), None)
    assert [each.team for each in view.seats] == [0, 1, 0, 1, 0, 1]
    assert [side.seats for side in view.sides] == [(0, 2, 4), (1, 3, 5)]


@pytest.mark.parametrize("seats", [4, 6])
def test_all_seats_are_asked_for_a_member_when_a_round_ends(seats: int) -> None:
    """At the end of a round both teams decide, at the same time, whose result is entered; any member may speak first."""
    scene = voting(seats)
    assert (scene.stage, scene.asked) == ("vote", tuple(range(seats)))
    for seat in range(seats):
        assert GAME.legal(scene.table, Seat(seat)) == [ProposeMember(Seat(mate)) for mate in range(seat % 2, seats, 2)]
        assert scene.refused(seat, AgreeToMember()) == Refusal("nothing-proposed")


def test_only_the_others_of_the_team_are_asked_when_a_member_is_proposed() -> None:
    """A member proposes a member, itself perhaps; then only seats are asked that have still to speak."""
    scene = voting(6)
    before = GAME.view(scene.table, None).decision
    scene.propose(2, 2)
    assert scene.asked == (0, 1, 3, 4, 5)
    assert scene.refused(2, ProposeMember(Seat(0))) == Refusal("not-asked")
    scene.agree(0)
    assert scene.asked == (1, 3, 4, 5)
    assert GAME.view(scene.table, None).decision == before


def test_result_of_one_member_is_entered_when_all_agree() -> None:
    """Points and Meistercoups of that one member are entered for the team."""
    scene = voting(s0="v1 b1 g2", s2="v2 v3 b3 b4 g4").propose(0, 2)
    scene.agree(2)
    assert scene.events == [MemberAgreed(Seat(2), Seat(2)), ResultEntered(0, Seat(2), 5, 0)]
    assert results(scene) == [(5, 0), (0, 0)]
    assert scene.stage == "vote"


def test_next_round_begins_when_both_teams_have_entered() -> None:
    """The last agreement deals the next round; the view keeps who was entered."""
    scene = voting().propose(0, 0).agree(2).propose(3, 1)
    leader = scene.table.leader
    scene.agree(1)
    dealt = scene.events[-1]
    assert isinstance(dealt, MeisterDealt)
    assert (dealt.round, dealt.leader) == (2, leader)
    assert GAME.view(scene.table, None).rounds[0].entered == (0, 1)


def test_who_had_spoken_is_asked_again_when_another_member_is_proposed() -> None:
    """A new proposal stands in place of the old one; all others of the team must speak again, in a new decision."""
    scene = voting(6).propose(0, 0).agree(2)
    before = GAME.view(scene.table, None).decision
    scene.propose(4, 4)
    assert scene.events == [MemberProposed(Seat(4), Seat(4), again=True)]
    assert scene.asked == (0, 1, 2, 3, 5)
    assert GAME.view(scene.table, None).decision == before + 1
    scene.agree(2, 0)
    assert GAME.view(scene.table, None).votes[0].entered == 4


def test_agreement_counts_only_for_what_stands_when_a_team_of_three_wavers() -> None:
    """All members must stand for the same one: two of three do not settle it, nor do agreements to what was proposed before."""
    scene = voting(6).propose(0, 0).agree(2).propose(4, 2).agree(0)
    vote = GAME.view(scene.table, None).votes[0]
    assert (vote.proposed, vote.voices, vote.entered) == (2, (2, 0, 2), None)
    scene.agree(2)
    assert GAME.view(scene.table, None).votes[0].entered == 2


def test_member_who_stands_for_the_new_proposal_is_not_asked_when_it_comes_back() -> None:
    """Only seats that have to speak are asked: an earlier voice for the same member still stands."""
    scene = voting(6).propose(0, 0).agree(2).propose(4, 4).propose(0, 0)
    assert [seat for seat in scene.asked if seat % 2 == 0] == [4]
    scene.agree(4)
    assert scene.events[-1] == ResultEntered(0, Seat(0), 2, 0)
    assert [seat for seat in scene.asked if seat % 2 == 0] == []


def test_votes_are_public_when_they_are_given() -> None:
    """Everyone sees who proposes whom and who agrees."""
    scene = voting().propose(0, 2)
    for viewer in (Seat(1), Seat(3), None):
        vote = GAME.view(scene.table, viewer).votes[0]
        assert (vote.proposed, vote.voices, vote.proposals) == (2, (2, None), 1)
        assert [redact(event, viewer) for event in scene.events] == scene.events


def test_member_of_the_other_team_is_refused() -> None:
    """A team enters the result of one of its own members; the standing proposal is agreed to, not repeated."""
    scene = voting()
    assert scene.refused(0, ProposeMember(Seat(1))) == Refusal("not-in-team", {"seat": 1})
    assert scene.refused(0, ProposeMember(Seat(4))) == Refusal("not-in-team", {"seat": 4})
    scene.propose(0, 2)
    assert scene.refused(2, ProposeMember(Seat(2))) == Refusal("already-proposed", {"seat": 2})


@pytest.mark.parametrize("seats", [4, 6])
def test_vote_ends_when_no_one_gives_way(seats: int) -> None:
    """After six proposals only the best member can still be proposed; a member who never agrees before then has to in the end."""
    scene = voting(seats, s0="b1", s2="b2 g2 g3 g4")
    for _ in range(MOST_PROPOSALS + seats):
        seat = next((seat for seat in scene.asked if seat % 2 == 0), None)
        if seat is None:
            break
        scene.do(seat, GAME.legal(scene.table, Seat(seat))[-1])
    vote = GAME.view(scene.table, None).votes[0]
    assert vote.entered == 2
    assert vote.proposals in {MOST_PROPOSALS, MOST_PROPOSALS + 1}


def test_other_members_are_refused_when_six_proposals_were_made() -> None:
    """The refusal names the best member: most points, then most Meistercoups, then the lowest seat."""
    scene = voting(s0="b1", s2="b2 g2 g3 g4")
    for seat in (0, 2) * 3:
        scene.propose(seat, 0 if seat == 2 else 2)
    assert scene.refused(0, ProposeMember(Seat(0))) == Refusal("already-proposed", {"seat": 0})
    assert GAME.legal(scene.table, Seat(0)) == [AgreeToMember(), ProposeMember(Seat(2))]
    scene.propose(0, 2)
    assert scene.refused(2, ProposeMember(Seat(0))) == Refusal("only-best-left", {"seat": 2})


def test_one_timeout_settles_the_whole_vote_when_no_one_has_spoken() -> None:
    """A seat whose time is up proposes the best member, or agrees to what stands: no seat is asked twice."""
    scene = voting(6, s1="v1 v2", s4="v3 v4 v5")
    said: list[int] = []
    while scene.stage == "vote":
        seat = Seat(scene.asked[0])
        said.append(seat)
        scene.do(seat, GAME.default(scene.table, seat))
    assert said == list(range(6))
    assert GAME.view(scene.table, None).rounds[0].entered == (4, 1)


@pytest.mark.parametrize(
    ("taken", "best"),
    [
        (("b1", "b2 b3 b4 g1"), 2),
        (("b1 b2 b3", "v1 b4 g4 y3 g2"), 2),
        (("b1", "b2 b3 b4"), 0),
    ],
)
def test_best_member_is_proposed_when_time_is_up(taken: tuple[str, str], best: int) -> None:
    """Most points, then most Meistercoups, then the lowest seat; here seat 0 has two points more than its cards say."""
    scene = voting(s0=taken[0], s2=taken[1])
    assert GAME.default(scene.table, Seat(0)) == ProposeMember(Seat(best))


def test_standing_proposal_is_agreed_to_when_time_is_up() -> None:
    """An absent seat does not delay its team, whatever is proposed."""
    scene = voting(s0="b2 b3 b4").propose(2, 2)
    assert GAME.default(scene.table, Seat(0)) == AgreeToMember()


def away(seats: int) -> list[tuple[int, ...]]:
    """Return which seats may be away: one, some and all."""
    sets = [some for size in range(1, seats + 1) for some in itertools.combinations(range(seats), size)]
    return [*sets[:: max(1, len(sets) // 12)], tuple(range(seats))]


@pytest.mark.parametrize("stand_in_after", [0, 2])
@pytest.mark.parametrize("seats", [4, 6])
def test_team_match_ends_when_some_seats_are_always_away(seats: int, stand_in_after: int) -> None:
    """Defaults and stand-ins bring every vote, and so every match, to its end."""
    case = Case(GAMES[GAME.id], seats, TEAM, "away")
    for number, absent in enumerate(away(seats)):
        match, _ = play_out(case, absent, stand_in_after, number)
        assert match.status is Status.OVER, f"away: {absent}"


# Who wins


def test_team_wins_at_once_when_a_members_meistercoup_is_its_third() -> None:
    """A member's Meistercoups of this round count together with those that the team entered before."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3", "b4 v4", mode="team").give(s0="v1 b1 g1").enter(0, 7, 2).play("v9 v5 y3 b4")
    scene.pick("y3")
    assert scene.events[-1] == MatchWon((Seat(0), Seat(2)), Reason.MEISTERCOUPS)
    assert [placing.rank for placing in scene.standing().placings] == [1, 2, 1, 2]


def test_meistercoups_of_two_members_are_never_added_together() -> None:
    """Two members with one each in a round do not make two: with one entered before, the match goes on."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3", "b4 v4", mode="team").give(s0="v1 b1 g1", s2="v7 b7 g7 y7").enter(0, 7, 1)
    scene.play("v9 v5 y3 b4").pick("y3")
    assert scene.stage == "lead"
    totals = [each.total_meistercoups for each in GAME.view(scene.table, None).seats]
    assert totals == [2, 0, 2, 0]


def test_entered_results_add_up_when_members_change() -> None:
    """Each round another member may be entered; the team's points and Meistercoups are the sum of what was entered."""
    scene = voting(s0="v1 b1 g1 y1").enter(0, 10, 1).propose(0, 0).agree(2)
    assert results(scene)[0] == (10 + 4 + 2, 2)


def last_votes(scene: Scene, *members: int) -> Sequence[str]:
    """Let both teams agree on these members; return what the last agreement caused."""
    for member in members:
        scene.propose(member, member).agree((member + 2) % 4)
    return kinds(scene.events)


def test_team_with_most_points_wins_when_three_rounds_are_over() -> None:
    """After the third round's votes the higher total wins; members share rank and score of their team."""
    scene = voting(number=3).enter(0, 10).enter(1, 30)
    assert last_votes(scene, 0, 1) == ["MemberAgreed", "ResultEntered", "MatchWon"]
    placings = scene.standing().placings
    assert [(placing.rank, placing.score) for placing in placings] == [(2, 12), (1, 32), (2, 12), (1, 32)]


def test_team_with_most_meistercoups_wins_when_totals_are_equal() -> None:
    """Ties are broken as in standard mode, per team; if all is equal, everyone shares the first rank."""
    scene = voting(number=3).enter(0, 10, 1).enter(1, 10, 2)
    last_votes(scene, 0, 1)
    assert scene.standing().winners == (1, 3)
    level = voting(number=3).enter(0, 10, 1).enter(1, 10, 1)
    last_votes(level, 0, 1)
    assert level.standing().winners == (0, 1, 2, 3)
