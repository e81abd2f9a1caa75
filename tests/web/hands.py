"""Hands at a browser: one moves the mouse, one has nothing but a keyboard. Both do anything that may be done."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

PLAY_SECONDS = 90.0
MOST_TABS = 60

SEEN = Path(__file__).with_name("hands.js").read_text(encoding="utf-8")


class Mouse:
    """Clicks where something is to be clicked, and sees that nothing lies above it."""

    kind = "mouse"

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.rng = random.Random(seed)
        self.moves = 0
        page.evaluate(SEEN)

    @property
    def over(self) -> bool:
        """Whether the result is there."""
        return bool(self.page.evaluate("hands.over()"))

    def look(self) -> dict[str, float] | None:
        """Return where something is to be done, if anything is."""
        return self.page.evaluate(f"hands.{self.kind}({self.rng.random()})")

    def move(self) -> bool:
        """Do something, if there is something to do."""
        if (found := self.look()) is None:
            return False
        assert found["hit"], "something lies above what is to be clicked"
        self.page.mouse.click(found["x"], found["y"])
        self.moves += 1
        return True


class Keyboard(Mouse):
    """Goes by Tab from where the focus is, presses Enter or the space bar, and sees that the focus is visible and never lost."""

    kind = "keys"

    def move(self) -> bool:
        """Do something, if there is something to do and no update came in between."""
        if (found := self.look()) is None:
            return False
        steps = int(found["steps"])
        assert abs(steps) <= MOST_TABS, "too many stops on the way"
        for _ in range(abs(steps)):
            self.page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        reached = self.page.evaluate("hands.reached()")
        if reached is None:
            return False
        assert reached["ring"], f"no ring around {reached['name']}"
        assert reached["seen"], f"{reached['name']} has the focus, but is hidden"
        self.page.keyboard.press(self.rng.choice(["Enter", " "]))
        self.moves += 1
        self.page.wait_for_timeout(5)
        assert not self.page.evaluate("hands.isLost()"), f"the focus was lost after {reached['name']}"
        return True


def play(hands: Sequence[Mouse]) -> None:
    """Let them play until each sees the result."""
    until = time.monotonic() + PLAY_SECONDS
    playing = list(hands)
    while playing:
        moved = [each.move() for each in playing]
        if not any(moved):
            playing = [each for each in playing if not each.over]
            hands[0].page.wait_for_timeout(20)
        assert time.monotonic() < until, [each.page.locator(".status").inner_text() for each in hands]
