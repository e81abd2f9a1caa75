"""Hands at a browser: one moves the mouse, one has nothing but a keyboard, one taps a phone. All do anything that may be done.

Each answers every kind of question once by hand. What is asked after that is answered inside of the service, and until the
next question of a new kind, or the end, their pages show no table: drawing each of the moves in between would be most of the
work.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tafelrunde.domain.game import Ask, DecisionId, Seat
from tafelrunde.domain.match import MatchId, Status
from tafelrunde.domain.match.refusals import DecisionNotOpen
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.search import SampledChance
from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service
from tests.web.course import Course
from tests.web.party import MOST_ANSWERS

MATCH_TIMEOUT_SECONDS = 2 * PATIENCE_SECONDS
LAST_ANSWERS = 4
"""That many answers before the end of a match, the players watch the table again."""
ANSWERS_BY_HAND = int(os.environ.get("TAFELRUNDE_BY_HAND", "1"))
"""How often each kind of question is answered by hand."""
ANSWERS_TO_WATCH = 6
"""After this many answers in a row inside of the service the pages leave the table."""
MAX_TAB_STOPS = 60
"""How far away, in stops of Tab, anything to do may be."""
SHIFT_MODIFIER = 8
"""Of a key in the browser's protocol."""

AT_TABLE = "() => document.querySelector('game-table')?.store?.known"
"""Also where the table of a game has no drawing of its own, and so no board."""

SEEN = Path(__file__).with_name("hands.js").read_text(encoding="utf-8")


class Mouse:
    """Clicks where something is to be clicked, and sees that nothing lies above it."""

    kind = "mouse"

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.rng = random.Random(seed)
        self.moves = 0
        self.over = self.resting = False
        page.evaluate(SEEN)
        self.match = page.url.rpartition("/")[2]
        page.wait_for_function(AT_TABLE)
        self.seat = Seat(page.evaluate("document.querySelector('game-table').store.view.seat"))
        self.decision: DecisionId | None = None
        self.prompt = ""
        self.counted: DecisionId | None = None
        self.answered: Counter[str] = Counter()

    def close(self) -> None:
        """Close what was opened for this."""

    def is_to_answer(self, ask: Ask, decision: DecisionId) -> bool:
        """Return whether this is asked something that is to be answered by hand, and note what that is."""
        if self.seat not in ask.open or (decision != self.counted and self.answered[ask.prompt] == ANSWERS_BY_HAND):
            return False
        self.decision, self.prompt = decision, ask.prompt
        return True

    def take_question(self) -> None:
        """Take for what is to be answered by hand whatever the page asks."""
        if asked := self.page.evaluate("document.querySelector('game-table').store.view.question"):
            self.decision = asked["decision"]

    def count(self) -> None:
        """Note that something was done by hand."""
        self.moves += 1
        if not self.resting and self.decision != self.counted:
            self.counted = self.decision
            self.answered[self.prompt] += 1

    def look(self) -> dict[str, float] | None:
        """Return where something is to be done, if anything is, and see whether the result is there."""
        seen = self.page.evaluate(f"hands.{self.kind}({self.rng.random()}, {json.dumps(self.decision)})")
        self.over = seen["over"]
        self.resting = seen["resting"]
        self.check(seen)
        return seen["found"]

    def check(self, seen: Mapping[str, Any]) -> None:
        """See that all is well with the page."""

    def move(self) -> bool:
        """Do something, if there is something to do."""
        if (found := self.look()) is None:
            return False
        assert found["hit"], "something lies above what is to be clicked"
        self.click(found["x"], found["y"])
        self.count()
        return True

    def click(self, x: float, y: float) -> None:
        """Click there."""
        self.page.mouse.click(x, y)


class Finger(Mouse):
    """Taps where something is to be tapped, on a screen that can be touched and has no mouse."""

    def __init__(self, page: Page, seed: int) -> None:
        super().__init__(page, seed)
        self.screen = page.context.new_cdp_session(page)
        self.screen.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def close(self) -> None:
        """Let go of the screen."""
        self.screen.detach()

    def click(self, x: float, y: float) -> None:
        """Tap there."""
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Keyboard(Mouse):
    """Goes by Tab, and by arrows within a hand, presses Enter or the space bar, and sees that the focus is never lost."""

    kind = "keys"

    def __init__(self, page: Page, seed: int) -> None:
        super().__init__(page, seed)
        self.last = "the start"
        self.keys = page.context.new_cdp_session(page)

    def close(self) -> None:
        """Let go of the keys."""
        self.keys.detach()

    def check(self, seen: Mapping[str, Any]) -> None:
        """See that something still has the focus."""
        assert not seen["lost"] or not self.moves, f"the focus was lost after {self.last}"

    def hold_tab(self, times: int, modifiers: int) -> None:
        """Hold Tab down until it has repeated that often."""
        tab = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": modifiers}
        for time_held in range(times):
            self.keys.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "autoRepeat": time_held > 0, **tab})
        self.keys.send("Input.dispatchKeyEvent", {"type": "keyUp", **tab})

    def move(self) -> bool:
        """Do something, if there is something to do and no update came in between."""
        if (found := self.look()) is None:
            return False
        if self.resting:
            self.page.keyboard.press("1")
            return True
        steps = int(found["steps"])
        assert abs(steps) <= MAX_TAB_STOPS, "too many stops on the way"
        if steps:
            self.hold_tab(abs(steps), SHIFT_MODIFIER if steps < 0 else 0)
        for _ in range(abs(arrows := int(found["arrows"]))):
            self.page.keyboard.press("ArrowLeft" if arrows < 0 else "ArrowRight")
        reached = self.page.evaluate("hands.reached()")
        if reached is None:
            return False
        assert reached["ring"], f"no ring around {reached['name']}"
        assert reached["seen"], f"{reached['name']} has the focus, but is hidden"
        self.page.keyboard.press(self.rng.choice(["Enter", " "]))
        self.count()
        self.last = reached["name"]
        return True


async def leave_known(course: Course, hands: Sequence[Mouse], most: int) -> bool:
    """Answer what is not answered by hand any more, that often at most; return whether there is still nothing to look at."""
    for answered in range(most):
        state = (await course.application.repository.load_latest(course.match)).match
        assert state.status is not Status.ABORTED, "there will be no result"
        ask, decision = state.pending(), state.open_decision()
        if ask is None or decision is None:
            return False
        by_hand = [each.seat for each in hands if each.is_to_answer(ask, decision)]
        left = [seat for seat in ask.open if seat not in by_hand]
        soon = ends_soon(state)
        if not left or (answered and soon):
            return False
        seat, game = left[0], state.game
        command = game.default(state.table, seat) if soon else course.rng.choice(game.legal(state.table, seat))
        with suppress(DecisionNotOpen):  # a hand was quicker
            await course.give(state, seat, command)
    return True


def ends_soon(state: Match) -> bool:
    """Return whether a match is over after a few more answers, if they are those of players who say nothing."""
    game, table = state.game, state.table.copy()
    for _ in range(LAST_ANSWERS):
        if (ask := game.pending(table)) is None:
            return True
        game.play(table, ask.open[0], game.default(table, ask.open[0]), SampledChance(random.Random(1)))
    return game.pending(table) is None


def play_alone(hand: Mouse) -> None:
    """Let one play against computers until it sees the result, all by hand: at a service of another process."""
    until = time.monotonic() + MATCH_TIMEOUT_SECONDS
    while not hand.over:
        hand.take_question()
        if not hand.move():
            time.sleep(0.05)
        assert time.monotonic() < until, hand.page.locator(".status").inner_text()


def play(hands: Sequence[Mouse], served: Service) -> None:
    """Let them play until each sees the result."""
    until = time.monotonic() + MATCH_TIMEOUT_SECONDS
    course = Course(served.known, MatchId(hands[0].match), random.Random(1))
    while not all(each.over for each in hands):
        moved = [each.move() for each in hands]
        if not any(moved):
            if served.do(leave_known(course, hands, ANSWERS_TO_WATCH)):
                watch(hands, table=False)
                served.do(leave_known(course, hands, MOST_ANSWERS))
                watch(hands, table=True)
            time.sleep(0.05)
        assert time.monotonic() < until, [each.page.locator(".status").inner_text() for each in hands]


def watch(hands: Sequence[Mouse], *, table: bool) -> None:
    """Let all look at the table, or at pages that have none."""
    for each in hands:
        each.page.evaluate("(address) => { location.hash = address }", f"/match/{each.match if table else 'none'}")
    for each in hands:
        if table:
            each.page.wait_for_function(AT_TABLE)
        else:
            each.page.wait_for_selector("main > .notice")
