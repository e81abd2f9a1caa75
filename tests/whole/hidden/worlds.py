"""Two worlds: the same match on two services, which differ only in what some viewer cannot know.

The second world's decks have two cards exchanged, and its seats give secret answers earlier. Both are played on alike over HTTP.
Until a viewer has seen a card that differs, or has itself answered in secret, every byte that it gets must be the same in both,
at the same time. Which cards are seen says `tests/support/sights.py`; the domain is not asked what may be known.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from typing import TypeAlias, cast

import msgspec

from tafelrunde.api.app import running
from tafelrunde.domain.game import Command, DecisionId, GameId, Seat
from tafelrunde.domain.match.state import Match
from tests.support.facts import facts_of
from tests.support.sights import Seen
from tests.support.wire import Answer
from tests.whole.hidden.asking import WITH_ALL, Known, Question, questions
from tests.whole.hidden.chance import coupled
from tests.whole.hidden.ears import Ear, SocketEar, first_difference
from tests.whole.hidden.world import HTTP, PUBLIC, SOCKET, Viewer, World, viewers_of

Step: TypeAlias = tuple[Seat, Command]
Finding: TypeAlias = tuple[str, str]
"""Where there was a difference, and for which kind of viewer."""
ALWAYS = ("getView", "getMatch", "getFeed", "listMatches", "listMyMatches", "listProofs", "listDeliveries")
OTHERS = 8
TRIES = 1
SECRET_TRIES = 6
SECONDS = 4.0
BESIDE = 0.2
"""How often something happens beside the game: a player leaves or comes back, or the time runs out."""


class Worlds:
    """Both worlds, played alike; `alike` are the viewers that could not distinguish them so far.

    `asked` counts the comparisons, by operation and kind of viewer, that were made while the worlds were different. The first
    difference raises AssertionError, unless `found` is there to collect them; `only` says what is asked (None: everything).
    """

    def __init__(self, game: GameId, seats: int, seed: int) -> None:
        # what is asked must not change what is played
        self.rng = random.Random(seed)
        self.asking = random.Random(seed)
        self.one = World(game, seats, None)
        self.other = World(game, seats, seed)
        self.unseen = facts_of(game).unseen
        self.seen = Seen(facts_of(game).sights), Seen(facts_of(game).sights)
        self.viewers = viewers_of(seats)
        self.alike = set(self.viewers)
        self.known = {viewer: Known(self.one, viewer, self.asking) for viewer in self.viewers}
        self.ears: dict[tuple[Viewer, str], tuple[Ear, Ear] | tuple[SocketEar, SocketEar]] = {}
        self.ahead: dict[Seat, Command] = {}
        self.decision = DecisionId(0)
        self.asked: Counter[tuple[str, str]] = Counter()
        self.different = False
        self.only: frozenset[str] | None = None
        self.found: set[Finding] | None = None
        self._key = 0
        self._ways: defaultdict[str, Iterator[str]] = defaultdict(lambda: cycle((HTTP, SOCKET)))

    @property
    def both(self) -> tuple[World, World]:
        """Both worlds."""
        return self.one, self.other

    @property
    def fooled(self) -> list[Viewer]:
        """The viewers who cannot distinguish the worlds, always in the same order."""
        return [viewer for viewer in self.viewers if viewer in self.alike]

    def key(self, use: str) -> str:
        """Return a fresh key, which says the way in: for each use the ways take turns."""
        self._key += 1
        return f"{next(self._ways[use])}{self._key}"

    def require(self, alike: bool, place: str, viewer: Viewer, detail: object = "") -> None:
        """Raise AssertionError if something differs that must not, or keep in mind where it was."""
        if not alike and self.found is None:
            raise AssertionError(f"{place} as {viewer.name} {detail}")
        if not alike and self.found is not None:
            self.found.add((place, viewer.kind))

    async def look(self) -> tuple[Match, Match]:
        """Return both matches, and drop the viewers who may distinguish them: all of them when a match is over."""
        one, other = await self.one.state(), await self.other.state()
        for world, seen in zip(self.both, self.seen, strict=True):
            seen.note(await world.news())
        over = one.status.finished and other.status.finished
        self.alike = {each for each in self.alike if not over and not self._tells_apart(each)}
        self.different = bool(self.ahead) or one.digest_form() != other.digest_form()
        return one, other

    def _tells_apart(self, viewer: Viewer) -> bool:
        """Return whether a viewer has answered in one world only, or was shown different cards."""
        return viewer.seat in self.ahead or self.seen[0].tells_apart(self.seen[1], viewer.seat)

    async def pass_time(self, ms: int = 1_000) -> None:
        """Let time go by in both worlds."""
        for world in self.both:
            await world.pass_time(ms)
        self._compare_logs()

    # Playing

    async def step(self) -> bool:
        """Play one command in both worlds, or a secret answer in one of them; return whether there was any."""
        one, other = await self.look()
        if one.open_decision() != self.decision:
            self.decision = one.open_decision() or DecisionId(0)
            self.ahead = {}
        if self.rng.random() < BESIDE:
            await (self._run_out(one) if not self.ahead and _defaults(one) == _defaults(other) else self._come_or_go(one))
            return True
        ask = one.pending()
        waiting = [seat for seat in ask.open if seat not in self.ahead] if ask is not None else []
        common = self._common(one, other)
        back = any(not one.chairs[seat].present for seat in self.ahead)  # when the decision closes, all see who is
        if self.ahead and (len(waiting) <= 1 or self.rng.random() < 0.2):
            cut = [each for each in common if not back and not self.unseen(one.table, each[1])]
            return await (self._together(*self.rng.choice(cut)) if cut and self.rng.random() < 0.5 else self._catch_up())
        if len(waiting) > 1 and self.rng.random() < 0.5:
            tries = self.rng.sample(common, min(len(common), SECRET_TRIES))
            found = next((each for each in tries if each[0] in waiting and self.unseen(one.table, each[1])), None)
            if found is not None:
                return await self._run_ahead(*found)
        if back:
            common = [each for each in common if self.unseen(one.table, each[1])]
            return await (self._together(*self.rng.choice(common)) if common else self._catch_up())
        return bool(common) and await self._together(*self.rng.choice(common))

    async def _run_out(self, one: Match) -> None:
        """Let the time run out in both worlds, where the same is done for those who are late."""
        assert one.asked is not None, "a running match asks a seat"
        for world in self.both:
            await world.run_out(one.asked.deadline_ms)
        await self.look()
        self._compare_logs()

    async def _come_or_go(self, one: Match) -> None:
        """Let a player who has not answered ahead leave in both worlds, or take its seat back."""
        seat = self.rng.choice([seat for seat in range(self.one.seats) if seat not in self.ahead])
        viewer = self.viewers[seat]
        key = self.key("seat")
        method, path = ("DELETE", "seats/me") if one.chairs[seat].present else ("POST", "seats")
        answers = [await world.ask(method, f"/matches/{world.match}/{path}", viewer, key=key) for world in self.both]
        assert answers[0].status < 300, answers
        await self._compare_receipts(viewer, answers)

    def _common(self, one: Match, other: Match) -> list[Step]:
        """Return what seats may do in both worlds, those apart that have answered in one of them."""
        ask = one.pending()
        return [
            (seat, command)
            for seat in (ask.seats if ask is not None else ())
            if seat not in self.ahead
            for command in one.game.legal(one.table, seat)
            if other.status is one.status and other.game.why_not(other.table, seat, command) is None
        ]

    async def _catch_up(self) -> bool:
        """Let a seat that has answered in the second world give the same answer in the first one too."""
        seat, command = self.ahead.popitem()
        return (await self.one.play(self.viewers[seat], self.decision, command, self.key("unseen"))).status == 200

    async def _run_ahead(self, seat: Seat, command: Command) -> bool:
        """Let a seat answer in the second world alone; no one else may notice."""
        self.ahead[seat] = command
        return (await self.other.play(self.viewers[seat], self.decision, command, self.key("unseen"))).status == 200

    async def _together(self, seat: Seat, command: Command) -> bool:
        """Give a command in both worlds; viewers who cannot distinguish them afterwards get the same answer."""
        viewer = self.viewers[seat]
        key = self.key("compared" if viewer in self.alike else "seen")
        await self._compare_receipts(viewer, [await world.play(viewer, self.decision, command, key) for world in self.both])
        return True

    async def _compare_receipts(self, viewer: Viewer, answers: Sequence[Answer]) -> None:
        await self.look()
        if viewer in self.alike:
            self.require(answers[0] == answers[1], "receipt", viewer)
            self.asked["receipt" if answers[0].headers else "receipt of a socket", viewer.kind] += 1
        self._compare_logs()

    def _compare_logs(self) -> None:
        """A log may contain what a spectator may know."""
        watcher = self.viewers[-2]
        if watcher in self.alike:
            self.require(self.one.lines == self.other.lines, "log", watcher, (self.one.lines, self.other.lines))

    # Listening

    async def listen(self) -> None:
        """Open streams, polls and sockets of all viewers; what they hear from now on is compared."""
        await self.look()
        for viewer in self.fooled:
            self.ears[viewer, "stream"] = self.one.listen(viewer, None), self.other.listen(viewer, None)
            self.ears[viewer, "socket"] = self.one.talk(viewer, None), self.other.talk(viewer, None)
            for what in ("poll", "resumed"):
                await self._begin(viewer, what)

    async def wait(self) -> None:
        """Wait a few seconds, and compare what was received, and when; polls that were answered are restarted."""
        await self.look()
        await asyncio.sleep(SECONDS)
        for (viewer, what), pair in [*self.ears.items()]:
            if viewer not in self.alike:
                await self._leave(viewer, what)
            else:
                self.require(
                    pair[0].heard == pair[1].heard and pair[0].over == pair[1].over, what, viewer, first_difference(*pair)
                )
                await self._again(viewer, what)

    async def _again(self, viewer: Viewer, what: str) -> None:
        """Restart a poll that is over; leave a stream every time, and resume it; keep the other one open."""
        if what == "resumed" or self.ears[viewer, what][0].over:
            await self._leave(viewer, what)
            await self._begin(viewer, what)

    async def _begin(self, viewer: Viewer, what: str) -> None:
        """Go on from where the viewer's feed is."""
        one, other = [await world.after(viewer) for world in self.both]
        begin = {"poll": World.poll, "socket": World.talk}.get(what, World.listen)
        self.ears[viewer, what] = cast("tuple[Ear, Ear]", (begin(self.one, viewer, one), begin(self.other, viewer, other)))
        await asyncio.sleep(0.001)

    async def _leave(self, viewer: Viewer, what: str) -> None:
        for ear in self.ears.pop((viewer, what)):
            await ear.leave()

    async def hang_up(self) -> None:
        """Close all that is open."""
        for viewer, what in [*self.ears]:
            await self._leave(viewer, what)

    # Asking

    async def compare(self, *, whole: bool = False) -> None:
        """Ask as each viewer who cannot distinguish the worlds, and compare every byte; *whole* asks all that can be asked."""
        one, _ = await self.look()
        for viewer in self.fooled if self.different else ():
            known = self.known[viewer]
            known.deals = one.deals
            for question in self._chosen([*questions(known)], whole=whole):
                await self._ask(viewer, question)
            if viewer.place is not None:
                await self._give_wrong(viewer, one)

    def _chosen(self, asked: list[Question], *, whole: bool) -> list[Question]:
        """Return what is looked at every time, and some of the rest."""
        if self.only is not None:
            return [each for each in asked if each.operation in self.only]
        always = [next(each for each in asked if each.operation == name) for name in ALWAYS]
        often = [each for each in asked if each.operation not in WITH_ALL]
        return asked if whole else [*always, *self.asking.sample(often, OTHERS)]

    async def _ask(self, viewer: Viewer, question: Question) -> int:
        """Ask in both worlds, compare, and return the status."""
        operation, method, path, more = question
        one, other = [await world.ask(method, path, viewer, **more) for world in self.both]
        self.require(one == other, operation, viewer, (method, path, more))
        self._compare_logs()
        assert one.status not in {429, 500}, (question, one)
        self.asked[operation, viewer.kind] += self.different
        self.known[viewer].learn(question, one)
        return one.status

    async def _give_wrong(self, viewer: Viewer, match: Match) -> None:
        """Try commands; give those that are refused, and some that are not even commands."""
        here = f"/matches/{self.one.match}/commands"
        thinkable = [each.command for seat in range(self.one.seats) for each in match.game.menu(match.table, Seat(seat))]
        plain = [kind() for kind in match.game.command_types if not kind.__struct_fields__]
        for command in self.asking.sample([*thinkable, *plain], min(TRIES, len(thinkable) + len(plain))):
            for decision in (self.decision, self.decision + 1):
                content = {"decision": decision, "command": msgspec.to_builtins(command)}
                asking = Question("dry run", "POST", f"{here}?dry_run=true", {"content": content, "key": "dry"})
                if await self._ask(viewer, asking) >= 400:
                    await self._ask(viewer, Question("giveCommand", "POST", here, {"content": content, "key": self.key("asked")}))


def _defaults(match: Match) -> Sequence[Command]:
    """Return what is done for the asked seats when their time is up."""
    ask = match.pending()
    return [match.game.default(match.table, seat) for seat in ask.open] if ask is not None else []


@asynccontextmanager
async def worlds(
    game: GameId,
    seats: int,
    seed: int,
    options: Mapping[str, object],
    wishes: Mapping[str, object] = PUBLIC,
) -> AsyncGenerator[Worlds]:
    """Give two worlds at the start of a match."""
    made = Worlds(game, seats, seed)
    with coupled():
        async with running(made.one.table.app), running(made.other.table.app):
            for world in made.both:
                await world.begin(options, wishes)
            try:
                yield made
            finally:
                await made.hang_up()
