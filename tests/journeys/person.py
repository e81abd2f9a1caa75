"""A person with a browser: what they do, and what they see, in plain words."""

from __future__ import annotations

import random
from re import Pattern

from playwright.sync_api import Locator, Page, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up

TOKEN = "localStorage.getItem('tafelrunde.token')"
ANSWERED = """(decision) => {
  const { store } = document.querySelector("game-table");
  return !store.sending && store.view.question?.decision !== decision;
}"""
OFFERED = ":is(.acts, .moves) button:not([aria-disabled=true])"
ASKED = """() => {
  const { page, store } = document.querySelector("game-table") ?? {};
  if (page?.stage.busy) page.stage.skip(), page.changed();
  if (!page?.drawing || page.stage.busy || store.sending) return 0;
  return store.view.question?.answered === null ? store.view.question.decision : 0;
}"""


class Person:
    """Someone with a browser. What is not there yet is waited for."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page: Page = visitor.page

    def opens(self, address: str = "/") -> None:
        """Open an address of the page, or a whole one."""
        if address.startswith("http"):
            self.page.goto(address)
        else:
            self.visitor.visit(address)

    def _shown(self, found: Locator) -> Locator:
        return found.filter(visible=True).first

    def sees(self, *texts: str | Pattern[str]) -> None:
        """Expect texts on the screen."""
        for text in texts:
            expect(self._shown(self.page.get_by_text(text))).to_be_visible()

    def sees_no(self, *texts: str | Pattern[str]) -> None:
        """Expect that texts are not on the screen, or go away."""
        for text in texts:
            expect(self.page.get_by_text(text).filter(visible=True)).to_have_count(0)

    def button(self, name: str | Pattern[str]) -> Locator:
        """Return a button or link by its name."""
        named = self.page.get_by_role("button", name=name).or_(self.page.get_by_role("link", name=name))
        return self._shown(named)

    def taps(self, *names: str | Pattern[str]) -> None:
        """Tap buttons or links, one after the other."""
        for name in names:
            self.button(name).click()

    def agrees(self, name: str) -> None:
        """Answer the question that the page asks once more by the button with that name."""
        self.page.get_by_role("dialog").get_by_role("button", name=name).click()

    def writes(self, label: str, text: str) -> None:
        """Write into a field."""
        self._shown(self.page.get_by_label(label)).fill(text)

    def unfolds(self, title: str | Pattern[str]) -> None:
        """Unfold a part of the page."""
        self._shown(self.page.locator("summary", has_text=title)).click()

    def takes_the_name(self, name: str) -> None:
        """Become a player with a name, on the page of one's own."""
        self.opens("/me")
        self.writes("Name", name)
        self.taps("Save")
        self.sees("Saved.")

    def says(self, line: str) -> None:
        """Say one of the ready lines in the chat that is open, and see it there."""
        self.page.locator(".talk").get_by_role("button", name=line).click()
        expect(self.page.locator(".talk-said").last).to_have_text(line)

    def hears(self, *lines: str) -> None:
        """Expect these lines in the chat that is open, and no others."""
        expect(self.page.locator(".talk")).to_be_visible()
        expect(self.page.locator(".talk-said")).to_have_text(list(lines))

    def opens_a_table_for_friends(self, game: str, seats: int, name: str = "") -> str:
        """Open a table in the lobby; return the match."""
        self.opens("/")
        self.taps(f"{game}: Friends, options")
        self.page.locator("#wish select").first.select_option(str(seats))
        if name:
            self.writes("Your name (if you like)", name)
        self.taps("Open a table for friends")
        self.sees("Some seats are still free.")
        return self.match

    @property
    def match(self) -> str:
        """The match in the address."""
        return self.page.url.rpartition("/")[2]

    @property
    def token(self) -> str:
        """The token of the player in this browser."""
        return str(self.page.evaluate(TOKEN))

    def is_asked(self) -> int:
        """Wait for a question; return the number of the decision."""
        return int(self.page.wait_for_function(ASKED).json_value())

    def answers(self) -> None:
        """Give the first answer that the table offers, once it asks, and see that it counts."""
        decision = self.is_asked()
        self.tries_to_answer()
        self.has_answered(decision)

    def tries_to_answer(self) -> None:
        """Tap the first answer that the table offers."""
        self._shown(self.page.locator(OFFERED)).click()

    def has_answered(self, decision: int) -> None:
        """Expect that a decision is made, and that the match goes on."""
        self.page.wait_for_function(ANSWERED, arg=decision)

    def sees_the_table(self) -> None:
        """Expect the table of a match that runs, with all that has happened."""
        self.page.wait_for_selector(".board .seat")
        caught_up(self.page)

    def plays_to_the_end(self, served: Service) -> None:
        """Let everyone at the table play on until the match is over, and look at its end."""
        served.finish(self.match, random.Random(1))
        self.sees(END)


END = "The match is over."
"""What stands above a table whose match is over."""
