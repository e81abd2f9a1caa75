"""What a walk knows: the people, the matches, the tournaments, and the feeds that people hold open."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tafelrunde.domain.game import AnyGame, GameId, Seat
from tafelrunde.domain.match import PlayerId, Status
from tafelrunde.domain.registry import GAMES
from tests.support.wire import Answer
from tests.walk.connections import Socket, Stream
from tests.walk.truth import MatchTruth

if TYPE_CHECKING:
    from tests.walk.followers import Follower

MOST_PEOPLE = 7
MOST_LIVE = 4
"""How many matches run or are open at once: more of them would only make each step slower."""


class Finding(Exception):
    """Something is not as it has to be: what it is, in a few words that stay the same, and the details."""

    def __init__(self, kind: str, details: str) -> None:
        super().__init__(f"{kind}: {details}")
        self.kind = kind


class Deployment(Protocol):
    """A running service: in this process, or as processes of its own."""

    problems: list[str]

    @property
    def processes(self) -> int:
        """How many processes can be asked."""
        ...

    @property
    def clocks(self) -> Sequence[Mapping[str, int]]:
        """What hosts choose among."""
        ...

    @property
    def slack_ms(self) -> int:
        """How much later than a view the feed of a spectator who knows all late may be: it is polled."""
        ...

    @property
    def patience_seconds(self) -> float:
        """How long a check is repeated before it is a finding; 0: whatever was sent has arrived."""
        ...

    def now_ms(self) -> int:
        """Return the time of the service."""
        ...

    async def settle(self) -> None:
        """Wait until everything has happened that waits for no time to pass."""
        ...

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        ...

    async def restart(self, number: int) -> None:
        """Stop one process, and start another one in its place."""
        ...

    async def ask(self, number: int, method: str, path: str, **more: Any) -> Answer:
        """Send a request to a process and return its answer."""
        ...

    def stream(self, number: int, path: str, token: str | None) -> Stream:
        """Open a stream of server-sent events at a process."""
        ...

    def socket(self, number: int, token: str | None) -> Socket:
        """Open a two-way socket at a process."""
        ...

    async def entries(self, match: str, after: int) -> Sequence[bytes]:
        """Return the entries of a match's log after a version."""
        ...


class Person:
    """Someone with a player: `tokens` by their ids. `gone`: the player was deleted.

    `kept_until_ms`: until when a seat was first kept for the player at a quick match, by match.
    """

    def __init__(self, name: str, player: PlayerId, token_id: str, token: str) -> None:
        self.name = name
        self.player = player
        self.tokens = {token_id: token}
        self.gone = False
        self.blocked: set[str] = set()
        self.kept_until_ms: dict[str, int] = {}


class World:
    """Everything that a walk acts on. `steps` are those that did something; `course` says what, for people to read."""

    def __init__(self, deployment: Deployment, game: GameId, course: list[str]) -> None:
        self.deployment = deployment
        self.game: AnyGame = GAMES[game]
        self.people: list[Person] = []
        self.matches: dict[str, MatchTruth] = {}
        self.tournaments: dict[str, Mapping[str, Any]] = {}
        self.followers: list[Follower] = []
        self.course = course
        self.step = 0
        self.keys = 0
        self.hurry = ""
        self.names: dict[str, str] = {}

    # Asking

    def key(self) -> str:
        """Return an idempotency key that was not used yet."""
        self.keys += 1
        return f"walk-{self.step}-{self.keys}"

    async def ask(self, rng: random.Random, method: str, path: str, who: Person | str | None, **more: Any) -> Answer:
        """Send a request to any process; an error of the service is a finding."""
        token = rng.choice([*who.tokens.values()]) if isinstance(who, Person) else who
        number = rng.randrange(self.deployment.processes)
        if method != "GET" and "key" not in more:
            more["key"] = self.key()
        answer = await self.deployment.ask(number, method, path, token=token, **more)
        if answer.status >= 500:
            raise Finding("error of the service", f"{method} {path} is {answer.status}: {answer.body.decode()[:500]}")
        return answer

    async def act(
        self, rng: random.Random, method: str, path: str, who: Person, *, allowed: Sequence[str] = (), **more: Any
    ) -> Any:
        """Do what has to work, or to be refused in one of the *allowed* ways (types of problem, or codes of refusals).

        Return the answer's JSON; None if it was refused.
        """
        answer = await self.ask(rng, method, path, who, **more)
        if answer.status < 400:
            return answer.json if answer.body else {}
        if await self.was_overtaken():
            return None
        problem = answer.json
        kind = name_of(problem["type"])
        if kind in allowed or problem.get("code") in allowed:
            return None
        raise Finding(f"refused: {kind}", f"{method} {path} by {who.name} is {answer.status}: {answer.body.decode()[:600]}")

    async def was_overtaken(self) -> bool:
        """Return whether anything has moved by itself since the last step, where time passes while people decide."""
        return self.deployment.patience_seconds > 0 and bool(await self.refresh())

    def say(self, text: str) -> None:
        """Note what a step does."""
        self.course.append(f"{self.step}: {text}")

    # Finding

    @property
    def present(self) -> list[Person]:
        """All whose player was not deleted."""
        return [person for person in self.people if not person.gone]

    def person(self, player: str | None) -> Person | None:
        """Return whose player that is, unless it was deleted."""
        return next((person for person in self.present if person.player == player), None)

    def having(self, *status: Status) -> list[MatchTruth]:
        """Return the matches that are at one of these places of their life."""
        return [match for match in self.matches.values() if match.state.status in status]

    def seated(self, match: MatchTruth) -> dict[Seat, Person]:
        """Return who sits at a match and can still act."""
        found = {Seat(place): self.person(chair.player) for place, chair in enumerate(match.state.chairs) if chair.player}
        return {seat: person for seat, person in found.items() if person is not None}

    def short(self, match: str) -> str:
        """Return a short name of a match."""
        return self.names.setdefault(match, f"M{len(self.names) + 1}")

    async def refresh(self) -> list[MatchTruth]:
        """Read what was written since, and return the matches that have moved. A rematch that is named is known from then on."""
        moved: list[MatchTruth] = []
        waiting = list(self.matches.values())
        while waiting:
            match = waiting.pop()
            entries = await self.deployment.entries(match.id, match.version)
            if entries:
                match.extend(entries)
                moved.append(match)
            rematch = match.state.rematch
            if rematch is not None and rematch not in self.matches:
                waiting.append(self.add(rematch))
        return moved

    def add(self, match_id: str) -> MatchTruth:
        """Know a match from now on."""
        self.short(match_id)
        return self.matches.setdefault(match_id, MatchTruth(match_id))


def name_of(kind: str) -> str:
    """Return the last part of a type of problem, by which it is called."""
    return kind.rpartition(":")[2]
