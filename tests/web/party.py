"""Players over the API at one table, beside or in place of those in browsers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from playwright.sync_api import Page

from tafelrunde.client import ApiError, Client, Item, View
from tafelrunde.client.shapes import Command, Plain
from tests.support.served import Service

MOST_ANSWERS = 2_000
CLOSED = "urn:tafelrunde:problem:decision-closed"
UP_TO_DATE = """(cursor) => {
  const { page, store } = document.querySelector("game-table") ?? {};
  if (store?.refused) throw new Error("the table is refused");
  if (page?.stage.busy) page.stage.skip(), page.changed();
  if (!page?.drawing || page.stage.busy || store.sending) return false;
  return [store.view, store.items.at(-1)].every((each) => each?.cursor === cursor);
}"""


def play_out(client: Client, match: str) -> None:
    """Play a match against bots to its end."""
    while (view := client.view(match)).status == "running":
        if view.question is not None and view.question.answered is None:
            with suppress(ApiError):  # closed meanwhile
                client.play(match, view.question.decision, view.question.legal[0])


class Party:
    """A match whose seats are all players of their own, each with its token; seat 0 is the host."""

    def __init__(
        self,
        url: str,
        game: str,
        seats: int,
        *,
        seed: int = 1,
        options: dict[str, Plain] | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.url = url
        self.game = game
        self.rng = random.Random(seed)
        self.clients = [Client(url) for _ in range(seats)]
        for number, client in enumerate(self.clients):
            client.sign_up(names[number] if names else f"Player {number}")
        clock = {"turn_seconds": 600, "reaction_seconds": 120}
        self.match = self.clients[0].open_match(game, seats, options=options, spectators="public", clock=clock).match
        for client in self.clients[1:]:
            client.take_seat(self.match)
        self._feeds: dict[int, list[Item]] = {}

    def start(self) -> Self:
        """Begin the match."""
        self.clients[0].start(self.match)
        return self

    @property
    def address(self) -> str:
        """The table's address behind the #."""
        return f"/match/{self.match}"

    def seat(self, page: Page, seat: int) -> None:
        """Let the browser of a page of the service be the player of a seat, from the next load on."""
        page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", self.clients[seat].token)

    def view(self, seat: int) -> View:
        """Return what a seat knows now."""
        return self.clients[seat].view(self.match)

    def views(self) -> list[View]:
        """Return what each seat knows now."""
        return [self.view(seat) for seat in range(len(self.clients))]

    def watched(self) -> View:
        """Return what a spectator knows now."""
        with Client(self.url) as nobody:
            return nobody.view(self.match)

    def feed(self, seat: int = 0) -> list[Item]:
        """Return a seat's whole feed; only what is new is asked for."""
        known = self._feeds.setdefault(seat, [])
        for _ in range(MOST_ANSWERS):
            if not (found := self.clients[seat].feed(self.match, known[-1].cursor if known else None).items):
                return list(known)
            known += found
        raise AssertionError(f"the feed of {self.match} has no end")

    def answer(self, seat: int, command: Command | None = None) -> bool:
        """Answer for a seat, if it is asked; return whether it was."""
        return self._answer(self.view(seat), command)

    def _answer(self, view: View, command: Command | None = None) -> bool:
        seat, question = view.seat, view.question
        if seat is None or question is None:
            return False
        try:
            self.clients[seat].play(self.match, question.decision, command or self.rng.choice(question.legal))
        except ApiError as error:
            if error.problem.type != CLOSED:
                raise
        return True

    def answer_until_asked(self, seat: int) -> bool:
        """Let the others answer until this seat must; return whether that came before the end."""
        for _ in range(MOST_ANSWERS):
            view = self.view(seat)
            if view.question is not None or view.status != "running":
                return view.question is not None
            self._answer_any(view)
        raise AssertionError(self.match)

    def answer_until_free(self, seat: int) -> None:
        """Let all answer until this seat must not, though others must."""
        for _ in range(MOST_ANSWERS):
            view = self.view(seat)
            if view.question is None or view.waiting is None:
                return
            self._answer_any(view)
        raise AssertionError(self.match)

    def answer_until(self, true: Callable[[View], bool]) -> View:
        """Let all answer until a view of seat 0 is so; return it."""
        for _ in range(MOST_ANSWERS):
            view = self.view(0)
            if true(view):
                return view
            assert view.status == "running", f"{self.match} has ended before that"
            self._answer_any(view)
        raise AssertionError(f"{self.match} does not come to that")

    def answer_times(self, answers: int) -> None:
        """Let the seats that are asked answer, that many times."""
        for _ in range(answers):
            self._answer_any(self.view(0))

    def shown(self, page: Page, seat: int | None = 0) -> None:
        """Wait until a seat's page, or that of a spectator, shows all that may be known there now."""
        for _ in range(2):  # what begins to rest is known with the frame that draws it
            view = self.watched() if seat is None else self.view(seat)
            page.wait_for_function(UP_TO_DATE, arg=view.cursor)
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def finish(self, service: Service | None = None) -> None:
        """Play to the end: over the API, or in the service itself, which takes a tenth of the time."""
        if service is not None:
            return service.finish(self.match, self.rng)
        seat = 0
        for _ in range(MOST_ANSWERS):
            view = self.view(seat)
            if view.status != "running":
                return None
            seat = self._answer_any(view)
        raise AssertionError(self.match)

    def _answer_any(self, view: View) -> int:
        """Answer for one of the seats that a view says are asked, and return which."""
        seat = view.seat or 0
        if view.waiting is not None:
            seat = self.rng.choice(view.waiting.seats)
            self._answer(view if view.seat == seat else self.view(seat))
        return seat

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for client in self.clients:
            client.close()
