"""Forged records of every game, and who finds them on a player's device: the record itself, what was kept, or the log."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import random
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from tafelrunde.client.keeping import Kept, KeptDeal, KeptFeed
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId
from tafelrunde.domain.match.commands import DayDeal, SeatBot, StartMatch, TakeSeat
from tafelrunde.domain.match.events import MATCH_EVENTS, CardsCommitted
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.secrecy import known
from tafelrunde.service.dealing import merkle
from tafelrunde.service.features.records.record import tag_of
from tafelrunde.service.features.records.verify import match_of
from tafelrunde.service.features.transparency.checks import hash_leaf, leaves_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.signing.signer import signer_of
from tafelrunde.service.signing.statements import Mark
from tafelrunde.service.views.feeds import Feed
from tests.service.features.records.test_mutants import decoded, edited, edits, flipped, free, rechained, with_sum
from tests.service.features.records.test_record import CODEC, REAL, Story, finished, opening, rewritten
from tests.support.cases import Case
from tests.support.paths import ROOT
from tools.node import environment

SIGNER = signer_of("2" * 64, b"cards")
PROGRAM = ROOT / "tests" / "support" / "forging.mjs"
STORIES = 6
OTHER_LEAVES = 5
"""Other leaves of the log that has the end of a match."""


class Forgery(NamedTuple):
    """A record that is not the one that the service wrote: of which game, and what was done to it.

    `kinds`: what the player has kept, if it is not of the original match.
    """

    game: str
    family: str
    record: bytes
    kinds: Mapping[str, Kept] | None = None


class Found(NamedTuple):
    """Which check finds a forgery (`record`, `kept`, `log`; None: none does), and what it says.

    `conclusions`: what the record is said to be, beside each kind of what was kept.
    """

    by: str | None
    wrong: str | None
    conclusions: Mapping[str, str]


Lines = list[bytes]


@functools.cache
def stories(game: str) -> tuple[tuple[bytes, ...], ...]:
    """Return records of one match of a game, played differently with the same id, secret and nonce; the shortest first."""
    case = next(case for case in REAL if case.game.id == game)
    return tuple(sorted((tuple(_story(case, seed).lines()) for seed in range(STORIES)), key=len))


NONCE = "n0"


def _story(case: Case, seed: int, nonce: str = NONCE, **opened: Any) -> Story:
    """Return a match whose player sat down when it had the commitment; *opened* is how its opening differs."""
    told = Story()
    host = PlayerId("p0")
    begun = opening(case.game, case.seats, msgspec.to_builtins(case.options))
    told.do(msgspec.structs.replace(begun, seating=(), start=False, **opened))
    told.do(TakeSeat(player=host, seat=Seat(0), nonce=nonce))
    for seat in range(1, case.seats):
        told.do(SeatBot(host, Seat(seat), BotName("random")))
    told.do(StartMatch(host))
    return finished(told, case, seed)


def original(game: str) -> tuple[bytes, ...]:
    """Return the record that is forged."""
    return stories(game)[0]


# What a player has


KINDS = ("all", "marks", "commitment")


@functools.cache
def kept_of(lines: tuple[bytes, ...]) -> Mapping[str, Kept]:
    """Return what the player of seat 0 has kept of a match, in three kinds: all, signed marks alone, and the commitment alone."""
    return _keep(*match_of(lines, GAMES))


def _keep(match: MatchId, loaded: Loaded) -> Mapping[str, Kept]:
    feed = Feed(Seat(0), loaded.entries)
    feed.extend(loaded, CODEC)
    events = [CODEC.decode(entry)[1] for entry in loaded.entries[: loaded.version]]
    n = len(feed.items)
    marks = [Mark(match=match, seat=Seat(0), n=count, chain=feed.chain(count)) for count in (3, n)]
    commitment = Kept(
        service="https://cards.example.org",
        origin=SIGNER.origin,
        keys=(SIGNER.public.text,),
        match=match,
        commitment=loaded.match.facts.commitment,
        seat=0,
        nonce=loaded.match.chairs[0].nonce,
    )
    signed = msgspec.structs.replace(commitment, marks=tuple(map(SIGNER.mark, marks)))
    whole = msgspec.structs.replace(
        signed,
        deals=tuple(
            KeptDeal(deal=each.deal, size=each.size, root=each.root) for each in events if isinstance(each, CardsCommitted)
        ),
        feed=KeptFeed(seat=0, n=n, chain=feed.chain(n).hex()),
    )
    return dict(zip(KINDS, (whole, signed, commitment), strict=True))


@functools.cache
def evidence(game: str) -> dict[str, Any]:
    """Return what the player of seat 0 has kept of the original, and where the log has its end."""
    lines = original(game)
    match, loaded = match_of(lines, GAMES)
    kinds = {name: msgspec.to_builtins(kept) for name, kept in kept_of(lines).items()}
    (end,) = leaves_of(match, loaded.entries, CODEC)
    leaves = [merkle.leaf_hash(bytes([number])) for number in range(OTHER_LEAVES)]
    leaves.insert(2, hash_leaf(end))
    path = [each.hex() for each in merkle.inclusion(leaves, 2)]
    return {
        "kept": kinds["all"],
        "kinds": kinds,
        "sheet": {tag_of(kind): known(kind)._asdict() for kind in (*MATCH_EVENTS, *GAMES[GameId(game)].event_types)},
        "log": {"index": 2, "path": path, "size": len(leaves), "root": merkle.root(leaves).hex()},
    }


# What a forger does: each returns the lines without their sum, or None where it does not fit


def _byte(lines: Lines, rng: random.Random) -> Lines:
    number = rng.randrange(len(lines))
    return [*lines[:number], flipped(lines[number], rng.randrange(len(lines[number])), rng), *lines[number + 1 :]]


def _cut(lines: Lines, rng: random.Random) -> Lines:
    number = rng.randrange(len(lines))
    return [*lines[:number], *lines[number + 1 :]]


def _doubled(lines: Lines, rng: random.Random) -> Lines:
    number = rng.randrange(len(lines))
    return [*lines[:number], lines[number], *lines[number:]]


def _exchanged(lines: Lines, rng: random.Random) -> Lines:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def _edited(lines: Lines, rng: random.Random) -> Lines:
    number = rng.randrange(len(lines))
    line = msgspec.json.encode(next(edits(json.loads(lines[number]), rng))) + b"\n"
    return [*lines[:number], line, *lines[number + 1 :]]


def _hashed_again(lines: Lines, rng: random.Random) -> Lines:
    number = rng.randrange(1, int(json.loads(lines[0])["entries"]) + 1)
    envelope = msgspec.msgpack.decode(base64.b64decode(json.loads(lines[number])["bytes"]))
    return [*lines[:number], *rechained(lines, number, edited(envelope, rng))]


def _played_otherwise(lines: Lines, rng: random.Random) -> Lines:
    """A whole other history of the same match: legal, dealt from the same secret and hashed in full."""
    return list(rng.choice(stories(json.loads(lines[0])["game"])[1:])[:-1])


CARDS = {"hands", "court", "deck"}


def _dealt_otherwise(lines: Lines, rng: random.Random) -> Lines | None:
    """Two cards of a deal are exchanged, and commitments, states, chain and lines follow from that again."""

    def change(envelopes: list[Any]) -> None:
        dealt = [each[4] for each in envelopes if CARDS & each[4].keys() and each[4]["type"] != "match.opened.1"]
        event = rng.choice(dealt)
        places = [place for name in sorted(CARDS & event.keys()) for place in _places(event[name])]
        (one, at), (other, there) = rng.sample(places, 2)
        one[at], other[there] = other[there], one[at]

    with suppress(LookupError, ValueError):  # the cards do not fit what was played
        return rewritten([*lines, b""], change)[:-1]
    return None


def _places(value: Any) -> Iterator[tuple[list[Any], int]]:
    for at, part in enumerate(value if isinstance(value, list) else []):
        if isinstance(part, list):
            yield from _places(part)
        else:
            yield value, at


class Claim(NamedTuple):
    """What a service claims of a match when it opens it, so that the nonce of its player counts for nothing."""

    opened: Mapping[str, Any]
    nonce: str = NONCE


DAY = DayDeal(day="2020-01-01", ends_ms=1_577_923_200_000)
CLAIMS: Mapping[str, Claim] = {
    "a lesson of no edition": Claim({"lesson": 999}),
    "a lesson of no edition, without the nonce": Claim({"lesson": 999}, ""),
    "a day without a commitment": Claim({"daily": DAY}),
    "a day without a commitment, without the nonce": Claim({"daily": DAY}, ""),
    "draws of version 1": Claim({"draws": UNSET}),
    "draws of version 1, keyed": Claim({"draws": 1}),
}
"""By these a service could choose the cards: the secret for empty nonces, or events before a shuffle of version 1."""


@functools.cache
def _claimed(game: str, family: str) -> Story:
    opened, nonce = CLAIMS[family]
    return _story(next(case for case in REAL if case.game.id == game), 0, nonce, **opened)


@functools.cache
def claimed(game: str, family: str) -> Forgery:
    """Return a match that a patched service opened by a claim, and played honestly from then on.

    Its player has kept all that was sent, and the nonce that was drawn after the commitment.
    """
    told = _claimed(game, family)
    loaded = Loaded(told.match, Version(len(told.entries)), chain_over(GENESIS, told.entries), told.entries)
    kinds = {name: msgspec.structs.replace(kept, nonce=NONCE) for name, kept in _keep(told.name, loaded).items()}
    return Forgery(game, family, b"".join(told.lines()), kinds)


def _claim(family: str) -> Callable[[Lines, random.Random], Lines]:
    return lambda lines, _: claimed(json.loads(lines[0])["game"], family).record.splitlines(keepends=True)[:-1]


FAMILIES: Mapping[str, tuple[int, Callable[[Lines, random.Random], Lines | None]]] = {
    "a byte": (3, _byte),
    "a line left out": (2, _cut),
    "a line twice": (2, _doubled),
    "lines exchanged": (2, _exchanged),
    "a value in a line": (4, _edited),
    "a value in an entry, hashed again": (5, _hashed_again),
    "other cards, committed to again": (1, _dealt_otherwise),
    "another legal history": (1, _played_otherwise),
    **{family: (1, _claim(family)) for family in CLAIMS},
}
"""How often each is tried, and how it is made."""


def forged(game: str, count: int, seed: int) -> Iterator[Forgery]:
    """Yield forgeries of a game's record: the same ones for the same seed, and each says something else of the match than it."""
    rng = random.Random(f"{game}/{seed}")
    lines = list(original(game)[:-1])
    made = 0
    names = list(FAMILIES)
    weights = [weight for weight, _ in FAMILIES.values()]
    while made < count:
        (family,) = rng.choices(names, weights)
        changed = FAMILIES[family][1](list(lines), rng)
        if changed is None or changed == lines or _says_the_same(changed, lines):
            continue
        made += 1
        yield Forgery(game, family, b"".join(with_sum(changed)), claimed(game, family).kinds if family in CLAIMS else None)


def _says_the_same(changed: Lines, lines: Lines) -> bool:
    """Return whether only that differs which the writing software says of itself: it is no statement about the match."""
    return changed[1:] == lines[1:] and free(json.loads(lines[0]), decoded(changed[0]))


# Who finds them


def judged(forgeries: Iterable[Forgery], games: Sequence[str] = tuple(GAMES)) -> Iterator[tuple[Forgery, Found]]:
    """Yield each forgery with who finds it. One process of Node.js checks them all, while the next ones are made."""
    program = subprocess.Popen(
        ["node", str(PROGRAM)], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16
    )
    assert program.stdin is not None
    assert program.stdout is not None
    asked = list[Forgery]()
    failed = list[BaseException]()

    lines = program.stdin

    def ask() -> None:
        try:
            with lines:
                lines.write(json.dumps({game: evidence(game) for game in games}) + "\n")
                for forgery in forgeries:
                    asked.append(forgery)
                    kinds = msgspec.to_builtins(forgery.kinds)
                    line = {"game": forgery.game, "record": base64.b64encode(forgery.record).decode(), "kinds": kinds}
                    lines.write(json.dumps(line) + "\n")
        except BaseException as error:
            failed.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    count = 0
    with program:
        for count, line in enumerate(program.stdout, start=1):
            forgery = asked[count - 1]
            asked[count - 1] = Forgery("", "", b"")  # read, and forgotten
            yield forgery, Found(*json.loads(line))
        asking.join()
    if failed:
        raise failed[0]
    assert (program.returncode, count) == (0, len(asked))


def kind_of(wrong: str | None) -> str:
    """Return what a finding is about, without the number of an entry, a line or a deal: equal ones are counted together."""
    first, _, rest = (wrong or "").split(" (")[0].partition(":")
    return f"{first.rstrip('0123456789 ')}:{rest}" if rest else first


def digest_of(forgeries: Iterable[Forgery]) -> str:
    """Return a hash over forgeries: the same seed makes the same ones everywhere."""
    whole = hashlib.sha256()
    for forgery in forgeries:
        whole.update(hashlib.sha256(forgery.record).digest())
    return whole.hexdigest()
