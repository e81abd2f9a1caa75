"""Hands at a browser: one moves the mouse, one has nothing but a keyboard, one taps a phone. All do anything that may be done.

Each answers every kind of question once by hand. What is asked after that is answered over the API, and until the last
cards of a round their pages show no table: drawing each of the moves in between would be most of the work.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tafelrunde.client import ApiError, Client
from tests.support.patience import PATIENCE_SECONDS
from tests.web.party import CLOSED, MOST_ANSWERS

MATCH_TIMEOUT_SECONDS = 2 * PATIENCE_SECONDS
CARDS_LEFT_TO_WATCH = 1
"""With this many cards left in a round, and before the end of a match, the players watch the table again."""
ANSWERS_BY_HAND = int(os.environ.get("TAFELRUNDE_BY_HAND", "1"))
"""How often each kind of question is answered by hand."""
API_ANSWERS_TO_WATCH = 3
"""After this many answers in a row over the API the pages leave the table until the last cards of the round."""
MAX_TAB_STOPS = 60
"""How far away, in stops of Tab, anything to do may be."""
SHIFT_MODIFIER = 8
"""Of a key in the browser's protocol."""

SEEN = Path(__file__).with_name("hands.js").read_text(encoding="utf-8")


class Mouse:
    """Clicks where something is to be clicked, and sees that nothing lies above it."""

    kind = "mouse"

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.rng = random.Random(seed)
        self.moves = 0
        self.over = self.resting = False
        self.watching = self.wanted = True
        self.left = 0  # answers over the API since something was done by hand
        page.evaluate(SEEN)
        self.match = page.url.rpartition("/")[2]
        self.client = Client(page.url.partition("/#")[0], page.evaluate("localStorage.getItem('tafelrunde.token')"))
        self.decision: int | None = None
        self.prompt = ""
        self.counted: int | None = None
        self.answered: Counter[str] = Counter()

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    def leave_known(self) -> bool:
        """Answer over the API what is no longer answered by hand, if that is asked; return whether it was."""
        view = self.client.view(self.match)
        question, waiting = view.question, view.waiting
        assert view.status != "aborted", "there will be no result"
        self.wanted = view.status != "running" or view.table is None or len(view.table.get("hand", ())) <= CARDS_LEFT_TO_WATCH
        if question is None or waiting is None or question.answered is not None:
            return False
        prompt = waiting.prompt.key.removesuffix(".you")
        if question.decision != self.counted and self.answered[prompt] == ANSWERS_BY_HAND:
            try:
                self.client.play(self.match, question.decision, self.rng.choice(question.legal))
            except ApiError as error:
                if error.problem.type != CLOSED:
                    raise
            self.left += 1
            return True
        self.decision = question.decision
        self.prompt = prompt
        self.wanted = True
        return False

    def watch(self, *, table: bool) -> None:
        """Look at the table, or at a page that has none."""
        if table == self.watching:
            return
        self.watching = table
        self.left = 0
        self.page.evaluate("(address) => { location.hash = address }", f"/match/{self.match if table else 'none'}")
        self.page.wait_for_selector(".board .seat" if table else "main > .notice")

    def count(self) -> None:
        """Note that something was done by hand."""
        self.moves += 1
        if not self.resting and self.decision != self.counted:
            self.left = 0
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
        if not self.watching or (found := self.look()) is None:
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
        """Close the connections, also that to the screen."""
        super().close()
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
        """Close the connections, also that to the keys."""
        super().close()
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
        if not self.watching or (found := self.look()) is None:
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


def leave_known(hands: Sequence[Mouse]) -> None:
    """Let the match go on over the API to the next question that is answered by hand."""
    for _ in range(MOST_ANSWERS):
        answered = sum(each.leave_known() for each in hands)
        wanted = any(each.wanted for each in hands)
        if wanted or sum(each.left for each in hands) > API_ANSWERS_TO_WATCH:
            for each in hands:
                each.watch(table=wanted)
        if not answered:
            return
    raise AssertionError(hands[0].match)


def play(hands: Sequence[Mouse]) -> None:
    """Let them play until each sees the result."""
    until = time.monotonic() + MATCH_TIMEOUT_SECONDS
    playing = list(hands)
    while playing:
        moved = [each.move() for each in playing]
        if not any(moved):
            leave_known(hands)
            playing = [each for each in playing if not each.over]
            time.sleep(0.05)
        assert time.monotonic() < until, [each.page.locator(".status").inner_text() for each in hands]
