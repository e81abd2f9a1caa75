"""What has to be true after each step: every feed and view is what the log says, and nothing waits for what will never come."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from tafelrunde.domain.match import Spectators, Status, Visibility
from tafelrunde.domain.match.presence import waits
from tests.support.wire import Answer
from tests.walk.followers import REVOKED_MS, Follower
from tests.walk.truth import MatchTruth, Refusal, Sight
from tests.walk.world import Finding, Person, World, name_of

LATE_MS = 6_000
"""How long after its time a clock may strike, and a bot may answer: longer than any rest of a duty."""
BOT_MS = 15_000
LISTED_MS = 1_500
"""How much later than a match the lists may be."""
ROUNDS = 6
SILENT_SECONDS = 120.0
MOST_WAITS = 40
"""For how many times that long a match may go on when all players have gone: bots stand in, and finish it."""
MOST_WAITS_FOR_BOTS = 10 * MOST_WAITS
"""The same where time cannot be moved on: bots pause before each answer."""


class Checks:
    """Looks at a world. Every finding is raised."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._rng = random.Random(0)
        self._deployment = world.deployment
        self._moved: dict[str, MatchTruth] = {}

    async def after_step(self, *, everything: bool = False) -> None:
        """Check what may have changed: all feeds, and the views of the matches that have moved.

        Where what was sent takes its time to arrive, that is repeated.
        """
        until = time.monotonic() + self._deployment.patience_seconds
        self._moved.clear()
        while True:
            try:
                await self._check(everything=everything)
            except Finding:
                if time.monotonic() >= until:
                    raise
            else:
                return

    async def _check(self, *, everything: bool) -> None:
        self._rng = random.Random(self._world.step)
        await self._deployment.settle()
        self._moved.update((match.id, match) for match in await self._world.refresh())
        await self._take_feeds()
        moved = [*self._moved.values()]
        for follower in list(self._world.followers):
            self._check_feed(follower)
        for match in [*self._world.matches.values()] if everything else moved:
            await self._check_views(match, everyone=everything)
            await self._check_facts(match, self._rng.choice(self._world.present))
        for match in self._world.having(Status.RUNNING):
            self._check_waiting(match)
        for match in self._world.having(Status.OVER):
            self._check_rematch(match)
        if self._deployment.problems:
            raise Finding(_kind(self._deployment.problems[0]), "\n".join(self._deployment.problems))

    async def _take_feeds(self) -> None:
        """Let all clients take what has come, and reconnect where the service said so."""
        until = time.monotonic() + self._deployment.patience_seconds
        rounds = 0
        while again := [follower for follower in self._world.followers if await follower.take()]:
            rounds += 1
            if rounds > ROUNDS and time.monotonic() > until:
                break
            await self._deployment.settle()
        else:
            return
        raise Finding("feed ends again and again", ", ".join(each.name for each in again))

    # Feeds

    def _check_feed(self, follower: Follower) -> None:
        match = follower.match
        now_ms = self._deployment.now_ms()
        if follower.doomed_ms is not None:
            self._check_doomed(follower, now_ms)
            return
        sight = match.sight(follower.player)
        if follower.refused:
            self._check_refused(follower, sight, now_ms)
        elif isinstance(sight, Refusal):
            if not follower.ended:
                raise Finding("feed stays open", f"{self._locate(follower)} may not look: {sight.name}")
        else:
            self._check_items(follower, sight, now_ms)
        if follower.ended:
            follower.close()
            self._world.followers.remove(follower)

    def _check_doomed(self, follower: Follower, now_ms: int) -> None:
        assert follower.doomed_ms is not None
        if follower.ended:
            follower.close()
            self._world.followers.remove(follower)
        elif follower.way != "pages" and now_ms > follower.doomed_ms + REVOKED_MS:
            raise Finding("feed outlives its token", self._locate(follower))

    def _check_refused(self, follower: Follower, sight: Sight | Refusal, now_ms: int) -> None:
        hidden = isinstance(sight, Sight) and not follower.match.count_known(sight, now_ms)
        expected = 404 if hidden else sight.value if isinstance(sight, Refusal) else 200
        if follower.refused != expected:
            raise Finding("feed refused", f"{self._locate(follower)}: {follower.refused} in place of {expected}")

    def _check_items(self, follower: Follower, sight: Sight, now_ms: int) -> None:
        match = follower.match
        wanted = match.items(sight.seat, match.count_known(sight, now_ms))
        ends_at = match.ends_at()
        if follower.ended:
            least = match.items(sight.seat, ends_at) if ends_at is not None else wanted
        elif sight.delayed:
            least = match.items(sight.seat, match.count_known(sight, now_ms - self._deployment.slack_ms))
        else:
            least = wanted
        got = follower.items
        if got != wanted[: len(got)]:
            place = next((n for n, (one, other) in enumerate(zip(got, wanted, strict=False)) if one != other), len(wanted))
            raise Finding(
                "feed of another viewer",
                f"{self._locate(follower)} sees it as {sight}: item {place + 1} of {len(got)} is "
                f"{_shown(got, place)} in place of {_shown(wanted, place)}",
            )
        if len(got) < len(least):
            raise Finding(
                "feed lacks items", f"{self._locate(follower)} has {len(got)} of {len(wanted)}, next {_shown(wanted, len(got))}"
            )
        if follower.ended and ends_at is None:
            raise Finding("feed ends early", self._locate(follower))

    def _locate(self, follower: Follower) -> str:
        return f"{follower.name} at {self._world.short(follower.match.id)}"

    # Views

    async def _check_views(self, match: MatchTruth, *, everyone: bool) -> None:
        """Check what is seen by those who sit there and by someone else, or by everyone."""
        everybody = (*self._world.present, None)
        others = [each for each in everybody if each is None or not match.state.expects(each.player)]
        chosen = self._rng.choice(others)
        for person in everybody:
            if everyone or person is chosen or person not in others:
                await self._check_view(match, person)

    async def _check_view(self, match: MatchTruth, person: Person | None) -> None:
        answer = await self._world.ask(self._rng, "GET", f"/matches/{match.id}/view", person)
        if answer.status == 403 and name_of(answer.json["type"]) == "seat-left":  # it says that asking again is enough
            answer = await self._world.ask(self._rng, "GET", f"/matches/{match.id}/view", person)
        now_ms = self._deployment.now_ms()
        sight = match.sight(person.player if person is not None else None)
        who = f"{person.name if person is not None else 'a stranger'} at {self._world.short(match.id)}"
        wanted = match.view(sight, now_ms) if isinstance(sight, Sight) else None
        status = sight.value if isinstance(sight, Refusal) else 404 if wanted is None else 200
        if answer.status != status:
            raise Finding("view refused or open", f"{who}: {answer.status} in place of {status} ({sight}): {_short(answer)}")
        if wanted is not None and answer.body != wanted:
            raise Finding(
                "view of another viewer", f"{who} sees it as {sight}:\n{answer.body.decode()}\nin place of\n{wanted.decode()}"
            )

    async def _check_facts(self, match: MatchTruth, person: Person) -> None:
        """Check what a match says of itself to someone, if that one knows it without delay."""
        answer = await self._world.ask(self._rng, "GET", f"/matches/{match.id}", person)
        sight = match.sight(person.player)
        if answer.status != 200 or (isinstance(sight, Sight) and sight.delayed) or sight is Refusal.HIDDEN:
            return
        seat = sight.seat if isinstance(sight, Sight) else None
        ask = match.state.pending()
        wanted = {**_facts_of(match), "your_turn": ask is not None and seat in ask.open}
        self._compare(match, answer.json, wanted, person.name)

    def _compare(self, match: MatchTruth, found: Mapping[str, Any], wanted: Mapping[str, Any], who: str) -> None:
        for name, value in wanted.items():
            got = found[name]
            if name == "chairs":
                got = [{key: chair[key] for key in value[0]} for chair in got]
            if got != value:
                raise Finding(f"facts are wrong: {name}", f"{who} at {self._world.short(match.id)}: {got} in place of {value}")

    async def lists(self) -> None:
        """Check what each player's own lists say, once the projector had time for it.

        Where matches go on by themselves, one may have moved since it was read: that is looked at again.
        """
        await self._deployment.wait(LISTED_MS / 1_000)
        until = time.monotonic() + self._deployment.patience_seconds
        while True:
            await self.after_step()
            try:
                for person in self._world.present:
                    await self._check_turns(person)
                await self._check_lobby()
            except Finding:
                if time.monotonic() >= until:
                    raise
            else:
                return

    async def _check_lobby(self) -> None:
        """Check the list that everyone sees against the matches that have stood still, but for those that it shows late."""
        answer = await self._world.ask(self._rng, "GET", "/matches?limit=100", None)
        rows = {each["match"]: each for each in answer.json["items"]}
        still_ms = self._deployment.now_ms() - LISTED_MS
        for match in self._world.matches.values():
            settings = match.state.settings
            late = settings.spectators is Spectators.DELAYED and (match.state.started or match.state.facts.parent is not None)
            if late or match.facts[-1].time_ms > still_ms or settings.visibility is not Visibility.LISTED:
                continue
            if match.id not in rows:
                raise Finding("the lobby lacks a match", self._world.short(match.id))
            self._compare(match, rows[match.id], _facts_of(match), "the lobby")

    async def _check_turns(self, person: Person) -> None:
        answer = await self._world.ask(self._rng, "GET", "/me/turns?limit=100", person)
        found = {each["match"] for each in answer.json["items"]}
        if new := found - self._world.matches.keys():  # those of a tournament begin by themselves
            for match_id in sorted(new):
                self._world.add(match_id)
            await self._world.refresh()
        wanted = set[str]()
        still_ms = self._deployment.now_ms() - LISTED_MS
        found -= {match.id for match in self._world.matches.values() if match.facts[-1].time_ms > still_ms}
        for match in self._world.having(Status.RUNNING):
            if match.facts[-1].time_ms > still_ms:
                continue
            ask = match.state.pending()
            sight = match.sight(person.player)
            if ask is not None and isinstance(sight, Sight) and sight.seat in ask.open:
                wanted.add(match.id)
        if found != wanted:
            names = [sorted(map(self._world.short, each)) for each in (found, wanted)]
            raise Finding("turns are wrong", f"{person.name} has {names[0]} in place of {names[1]}")

    async def at_the_end(self) -> None:
        """Check that all matches end once all people have left."""
        world = self._world
        for follower in world.followers:
            follower.close()
        world.followers.clear()
        if self._deployment.patience_seconds:  # the clock of a quick match takes too long
            await self._leave_all()
        for _ in range(MOST_WAITS_FOR_BOTS if self._deployment.patience_seconds else MOST_WAITS):
            if not world.having(Status.RUNNING):
                break
            await self._deployment.wait(SILENT_SECONDS)
            await self.after_step()
        else:
            raise Finding("a match does not end", ", ".join(world.short(match.id) for match in world.having(Status.RUNNING)))
        await self.lists()

    async def _leave_all(self) -> None:
        """Let everyone leave the running matches, so that bots play on at once."""
        await self._world.refresh()
        for match in self._world.having(Status.RUNNING):
            for person in self._world.seated(match).values():
                await self._world.ask(self._rng, "DELETE", f"/matches/{match.id}/seats/me", person)

    # Waiting

    def _check_waiting(self, match: MatchTruth) -> None:
        state = match.state
        now_ms = self._deployment.now_ms()
        ask = state.pending()
        where = self._world.short(match.id)
        if ask is None or state.asked is None:
            raise Finding("nobody is asked", f"{where} runs and waits for nothing")
        if not ask.open:
            raise Finding("nobody is asked", f"{where}: all have answered decision {ask.decision}")
        if now_ms > state.asked.deadline_ms + LATE_MS:
            raise Finding("a deadline has passed", f"{where}: decision {ask.decision} by {now_ms - state.asked.deadline_ms} ms")
        if state.bots_asked() and not waits(state, now_ms):
            since = max(match.facts[-1].time_ms, state.waits_until_ms or 0)
            if now_ms > since + BOT_MS:
                raise Finding("a bot does not answer", f"{where}: decision {ask.decision} for {now_ms - since} ms")

    def _check_rematch(self, match: MatchTruth) -> None:
        """An agreed rematch opens with the last agreement."""
        if match.state.rematch_agreed() and self._deployment.now_ms() > match.facts[-1].time_ms + LATE_MS:
            raise Finding("a rematch does not open", self._world.short(match.id))


def _facts_of(match: MatchTruth) -> Mapping[str, Any]:
    """Return what everyone may know of a match, as far as it changes."""
    state = match.state
    chairs = [
        {
            "player": chair.player,
            "bot": chair.bot,
            "reserved": None if chair.reserved is UNSET else chair.reserved,
            "agrees_to_abort": chair.agrees_to_abort,
            "agrees_to_rematch": chair.agrees_to_rematch,
        }
        for chair in state.chairs
    ]
    return {
        "status": state.status.value,
        "host": state.host,
        "chairs": chairs,
        "decision": state.open_decision(),
        "deadline_ms": state.asked.deadline_ms if state.asked is not None else None,
        "waits_until_ms": state.waits_until_ms,
        "rematch": state.rematch,
    }


def _kind(line: str) -> str:
    """Return the kind of a line of the log: its event, without its values."""
    words = line.splitlines()[0].split(" ")
    error = line.strip().splitlines()[-1].rpartition(".")[2].split(":")[0] if "\n" in line else ""
    return " ".join(["log line", *(word for word in words if "=" not in word), error]).strip()


def _shown(items: Sequence[bytes], place: int) -> str:
    return items[place].decode()[:700] if place < len(items) else "nothing"


def _short(answer: Answer) -> Any:
    return answer.body.decode()[:300]
