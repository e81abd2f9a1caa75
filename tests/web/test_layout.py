"""Where everything on a table stands: hand and answers are seen at once, nothing covers them, and no text is cut off."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser

from tafelrunde.api.http.response import encode
from tafelrunde.api.schema import presenters
from tafelrunde.client.shapes import Plain
from tafelrunde.domain.coup.messages import TakeIncome
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import MatchId, Status
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tests.support.fixed_chance import fixed_chance
from tests.support.served import Service
from tests.support.thorough import seat_counts, tries
from tests.web.conftest import Visitor, caught_up, for_each
from tests.web.party import Party

pytestmark = [pytest.mark.slow]

SIZES = ((360, 640), (390, 844), (900, 900), (1440, 900), (2560, 1440))
LANGUAGES = ("en", "de")
NAMES = ("Maxi", "Bruno", "Cleo", "Dario", "Enid", "Falk", "Greta")
OPTIONS: dict[tuple[str, int], dict[str, Plain]] = {
    **{("coup", seats): {"fifth_role": "inquisitor"} for seats in range(2, 7)},
    ("meister-coup", 6): {"mode": "team"},
}
"""The options with the most answers, and those that a number of seats needs."""
MOST_ANSWERS = 80
"""After that many answers no further moment is looked for."""
INCOMES = 6
"""Rounds of Coup in which all take income: then every action is possible against everyone."""
DEAL = 6
"""Of what may be dealt: in Mondkrone one is asked for seven cards to set aside, the most that there are."""
LAYOUT = Path(__file__).with_name("layout.js").read_text()

Moments: TypeAlias = list[tuple[str, Any]]


async def moments(application: Application, match: MatchId, rng: random.Random) -> Moments:
    """Play on, and return what seat 0 saw at the fullest and at the last question of each kind."""
    fullest: dict[str, tuple[int, bytes]] = {}
    latest: dict[str, bytes] = {}
    for number in range(MOST_ANSWERS):
        state = (await application.repository.load_latest(match)).match
        ask, decision = state.pending(), state.open_decision()
        if state.status is not Status.RUNNING or ask is None or decision is None:
            break
        seat = Seat(0) if Seat(0) in ask.open else rng.choice(ask.open)
        player = state.chairs[seat].player
        legal = state.game.legal(state.table, seat)
        assert player is not None
        if seat == 0:
            seen = await application.queries.view(await application.queries.viewer(player, match), match)
            latest[ask.prompt] = encode(presenters.view_body(seen, state.game))
            if len(legal) >= fullest.get(ask.prompt, (0, b""))[0]:
                fullest[ask.prompt] = len(legal), latest[ask.prompt]
        income = next((each for each in legal if isinstance(each, TakeIncome)), None)
        early = number < INCOMES * len(state.chairs)
        command = income if early and income is not None else rng.choice(legal)
        await application.matches.play(player, match, decision, command, f"{decision}|{seat}|{rng.random()}")
    found = [*((key, view) for key, (_, view) in fullest.items()), *latest.items()]
    return [(key, json.loads(view)) for key, view in dict.fromkeys(found)]


def share_out(found: Moments, size: int) -> tuple[Moments, Moments]:
    """Share moments out to the two languages: each is looked at in all sizes and both languages, which take turns.

    The thorough profile looks at each in both languages in every size.
    """
    if tries(1, 2) == 2:
        return found, found
    return found[size % 2 :: 2], found[(size + 1) % 2 :: 2]


@for_each(GAMES)
def test_hand_and_answers_are_in_sight_and_no_text_is_cut(game: GameId, browser: Browser, served: Service) -> None:
    """With few, more and the most seats, on phones and on large screens, in both languages, at each kind of question."""
    visitor = Visitor(browser, served.url)
    wrong: list[str] = []
    for seats in seat_counts(GAMES[game]):
        chance = fixed_chance(f"{game} {seats} {DEAL}")
        with chance, Party(served.url, game, seats, options=OPTIONS.get((game, seats)), names=NAMES[:seats]) as party:
            assert served.application is not None
            found = served.do(moments(served.application, MatchId(party.start().match), party.rng))
            party.seat(visitor.page, 0)
            page = visitor.visit(party.address)
            page.wait_for_selector(".board .seat")
            caught_up(page)
            page.evaluate(LAYOUT)
            for at, (width, height) in enumerate(SIZES):
                page.set_viewport_size({"width": width, "height": height})
                for language, moment in zip(LANGUAGES, share_out(found, at), strict=True):
                    seen = page.evaluate("([moments, language]) => layout.wrong(moments, language)", [moment, language])
                    wrong += [f"{game} {seats} seats {width}x{height} {language} {each}" for each in seen]
    visitor.close()
    assert wrong == [], "\n".join(wrong)
