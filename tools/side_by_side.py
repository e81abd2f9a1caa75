"""Plays matches through the last release and this one at once, as during an update without downtime: `make side-by-side`.

Each runs all of its processes (api, sweeper, worker, thinker), both on one server. Requests alternate between the two, so both
take part in every match, and in its bots and clocks. Afterwards everything is read through each of them and compared.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import httpx

from tafelrunde.domain.game import AnyGame
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve
from tests.support.servers import Server
from tests.support.soak.ledger import Ledger
from tests.support.soak.players import PlainPlayer

LAYERS = ("api", "domain", "service", "workers")
RELEASE = r"^Release [0-9]"
"""Pattern of the subject of a release's commit."""
READ = ("", "/view", "/feed?limit=500", "/record")
"""The answers about a finished match that must say the same: its facts, a player's view, its feed and its record."""
SHOWN = 400
"""How many characters of a difference are shown."""
NAMES = ("release", "new code")


def last_release() -> str:
    """Return the commit of the last release."""
    return _git("log", "-1", "--format=%H", f"--grep={RELEASE}").decode().strip()


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True).stdout


def unpacked(commit: str, folder: Path) -> Path:
    """Write the code of a commit into a folder; return what a process needs on its path to import it."""
    subprocess.run(["tar", "-x", "-C", str(folder)], input=_git("archive", commit, *LAYERS), check=True)
    names = folder / "names" / "tafelrunde"
    names.mkdir(parents=True)
    for layer in LAYERS:
        (names / layer).symlink_to(folder / layer)
    return names.parent


class Released(Serve):
    """A service whose code is found on another path."""

    def __init__(self, folder: Path, path: str, **settings: Any) -> None:
        super().__init__(folder, **settings)
        self._path = path

    def start(self) -> None:
        """Start it and wait until it has printed its address."""
        with patch.dict(os.environ, PYTHONPATH=self._path):
            super().start()


class Alternating(httpx.AsyncBaseTransport):
    """Sends requests to two services in turn."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls = itertools.cycle(map(httpx.URL, urls))
        self._inner = httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=200))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send it."""
        to = next(self._urls)
        request.url = request.url.copy_with(host=to.host, port=to.port)
        request.headers["Host"] = f"{to.host}:{to.port}"
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()


class Trial:
    """Matches through two services; `faults` lists what was wrong."""

    def __init__(self, urls: Sequence[str], seed: int) -> None:
        self._urls = urls
        self._seed = seed
        self._unexpected: Counter[str] = Counter()
        self.faults: list[str] = []
        self.practice: Counter[str] = Counter()

    async def run(self, more: Callable[[int], bool]) -> int:
        """Play matches of each game, one after the other, as long as *more* says yes to the number so far; return how many."""
        count = 0
        async with httpx.AsyncClient(base_url="http://both", transport=Alternating(self._urls), timeout=PATIENCE_SECONDS) as both:
            for game in itertools.cycle(GAMES.values()):
                if not more(count):
                    break
                await self._match(both, game, count)
                count += 1
        self.faults += [f"{what} ({times} times)" for what, times in self._unexpected.items()]
        return count

    async def _match(self, both: httpx.AsyncClient, game: AnyGame, number: int) -> None:
        """Play a match of two people and bots, with one person absent in every third, and compare the answers about it."""
        rng, absent = random.Random(f"{self._seed} {number}"), number % 3 == 2
        players = [await PlainPlayer.guest(both, self._unexpected) for _ in range(2)]
        seats = max(game.min_seats, min(game.max_seats, 3))
        wish = {
            "game": game.id,
            "seats": seats,
            "clock": {"turn_seconds": 1, "reaction_seconds": 1, "stand_in_after": 2} if absent else {},
            "spectators": "public",
            "bots": [{"seat": seat, "bot": "random"} for seat in range(2, seats)],
        }
        match: str = (await players[0].post("/matches", "open", wish)).raise_for_status().json()["match"]
        (await players[1].post(f"/matches/{match}/seats", "sit", {})).raise_for_status()
        (await players[0].post(f"/matches/{match}/start", "start", {})).raise_for_status()
        ledgers = [Ledger(match) for _ in players]
        async with asyncio.timeout(PATIENCE_SECONDS), asyncio.TaskGroup() as together:
            for place, (player, ledger) in enumerate(zip(players, ledgers, strict=True)):
                together.create_task(player.follow(ledger))
                if not (absent and place):
                    together.create_task(player.play(ledger, random.Random(rng.random())))
        for player, ledger in zip(players, ledgers, strict=True):
            self.faults += [f"{game.id}: {kind} {where}" for kind, where in ledger.faults(await player.feed(match))]
            await self._compare(player, match, game.id)
        await self._practise(players[0], match, game.id)

    async def _compare(self, player: PlainPlayer, match: str, game: str) -> None:
        """Request everything about a finished match from both."""
        for path in READ:
            said = [await self._ask(url, player, f"/matches/{match}{path}") for url in self._urls]
            if [answer.status_code for answer in said] != [200, 200]:
                self.faults.append(f"{game}: {path or 'facts'} of {match}: {[answer.status_code for answer in said]}")
            elif other := difference(_content(said[0]), _content(said[1])):
                self.faults.append(f"{game}: {path or 'facts'} of {match}: {other}")
        for url in self._urls:
            verdict = (await self._ask(url, player, f"/matches/{match}/verification")).json()
            if verdict.get("right") is not True:
                self.faults.append(f"{game}: {match} is not verified by {url}: {verdict}")

    async def _practise(self, player: PlainPlayer, match: str, game: str) -> None:
        """Open a practice match at each of the two, and read it at the other.

        Release 0.2.0 cannot read those of later releases, which refer to their origin: it must refuse, and change nothing.
        """
        for opens, looks in itertools.permutations(range(2)):
            async with httpx.AsyncClient(base_url=self._urls[opens], timeout=PATIENCE_SECONDS) as http:
                practising = PlainPlayer(http, player.token, self._unexpected)
                answer = await practising.post(f"/matches/{match}/what-if", f"practise-{opens}", {"decision": 3, "seat": 0})
            if not answer.is_success:
                self.faults.append(f"{game}: no practice match at the {NAMES[opens]}: {answer.text}")
                continue
            branch = answer.json()["match"]
            seen, own = [
                await self._ask(self._urls[each], player, f"/matches/{branch}/feed?limit=500") for each in (looks, opens)
            ]
            same = seen.is_success and own.is_success and _goes_on(seen, own)
            self.practice[
                f"opened by the {NAMES[opens]}, seen by the {NAMES[looks]}: {'the same' if same else seen.status_code}"
            ] += 1
            if not same and (opens == 0 or seen.is_success or not own.is_success):
                self.faults.append(f"{game}: practice match {branch}: {_difference(own, seen)}")

    async def _ask(self, url: str, player: PlainPlayer, path: str) -> httpx.Response:
        async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=PATIENCE_SECONDS) as http:
            return await http.get(path, headers={"Authorization": f"Bearer {player.token}"})


def _content(answer: httpx.Response) -> object:
    """Return what an answer says; of a record all but its head, where the release that writes it names itself, and the sum."""
    content = answer.json()
    if isinstance(content, dict) and "lines" in content:
        return [line for line in content["lines"] if line["line"] not in {"head", "sum"}]
    return content


def difference(old: object, new: object, where: str = "") -> str:
    """Return the first place at which a later release says something else; nothing if it says the same, or more.

    It may say what the earlier one does not know yet: a released contract grows by members of objects.
    """
    parts: Iterable[tuple[str, object, object]]
    if isinstance(old, dict) and isinstance(new, dict):
        known, found = cast("dict[str, object]", old), cast("dict[str, object]", new)
        parts = ((f"{where}.{name}", each, found.get(name, "nothing")) for name, each in known.items())
    elif isinstance(old, list) and isinstance(new, list) and len(cast("list[object]", old)) == len(cast("list[object]", new)):
        pairs = zip(cast("list[object]", old), cast("list[object]", new), strict=True)
        parts = ((f"{where}[{number}]", each, other) for number, (each, other) in enumerate(pairs))
    else:
        return "" if old == new else f"{where}: {old!r} / {new!r}"[:SHOWN]
    return next((text for place, each, other in parts if (text := difference(each, other, place))), "")


def _goes_on(earlier: httpx.Response, later: httpx.Response) -> bool:
    """Return whether the second of two feeds is the first one, or more of it."""
    items = earlier.json()["items"]
    return bool(items) and later.json()["items"][: len(items)] == items


def _difference(first: httpx.Response, second: httpx.Response) -> str:
    """Return the first place in which two answers differ."""
    pairs = enumerate(zip(first.text, second.text, strict=False))
    place = next((place for place, (one, other) in pairs if one != other), min(len(first.text), len(second.text)))
    return " / ".join(answer.text[max(place - 40, 0) : place + 40] for answer in (first, second))


@contextmanager
def both_releases(commit: str) -> Generator[tuple[Serve, Serve]]:
    """Run a release and this code on one server, as an update wants it: new matches are dealt as the release can read them."""
    settings: dict[str, Any] = {"bot_pause_ms": 50, "rate_limits": "false"}
    with tempfile.TemporaryDirectory(prefix="tr-") as name:
        folder = Path(name)
        for each in ("store", "old", "new", "code"):
            (folder / each).mkdir()
        path = str(unpacked(commit, folder / "code"))
        with (
            Server("valkey", folder / "store") as server,
            Released(folder / "old", path, redis_url=server.url, **settings) as old,
            Serve(folder / "new", redis_url=server.url, dealing=1, **settings) as new,
        ):
            yield old, new


def lasting(rounds: int, minutes: float | None) -> Callable[[int], bool]:
    """Return the answer to whether another match is to be played: for that long if it is given, else that many rounds."""
    if minutes is None:
        return lambda count: count < rounds * len(GAMES)
    end = time.monotonic() + 60 * minutes
    return lambda _: time.monotonic() < end


def main() -> None:
    """Run, and print what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--release", default="", help="a commit; the last release if there is none")
    parser.add_argument("--rounds", type=int, default=1, help="matches of each game")
    parser.add_argument("--minutes", type=float, help="play for that long instead, as during a slow update")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    commit = wanted.release or last_release()
    with both_releases(commit) as (old, new):
        trial = Trial([old.url, new.url], wanted.seed)
        count = asyncio.run(trial.run(lasting(wanted.rounds, wanted.minutes)))
        logged = [Counter(line["event"] for line in each.lines() if line["level"] == "error") for each in (old, new)]
    sys.stdout.write(f"{count} matches through {commit[:7]} and this code\n")
    for name, counts in (("practice", trial.practice), *zip((f"errors of the {name}" for name in NAMES), logged, strict=True)):
        for what, often in sorted(counts.items()):
            sys.stdout.write(f"{name}: {what}: {often}\n")
    trial.faults += [f"the new code logged: {event}" for event in logged[1]]
    if trial.faults:
        sys.exit("\n".join(trial.faults))
    sys.stdout.write("Both said the same, and verified every match.\n")


if __name__ == "__main__":
    main()
