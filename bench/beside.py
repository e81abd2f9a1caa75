"""Our folding compared with another library's, with the same events and the same states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from bench.event_kinds import ANY_EVENT
from bench.peak import CODEC
from bench.samples import Sample
from bench.turns import rates
from tafelrunde.domain.game import Event
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.matches.codec import Envelope, digest_of
from tafelrunde.service.ports.events import GENESIS, chain_over


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """Of some matches: events per second by side, each with what it does, and bytes per stored event."""

    name: str
    rates: Mapping[str, float]
    stored: Mapping[str, float]


def peer() -> str | None:
    """Return the name of the other library, None (and say so) if it is not installed."""
    try:
        from bench.aggregate import NAME  # noqa: PLC0415 - it may not be installed
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is not installed: the comparison is left out. `make bench` installs the group `bench`.")
        return None
    return NAME


class Ours:
    """Our side: the entries as they are stored, and the same envelopes as JSON."""

    def __init__(self, sample: Sample) -> None:
        self.logs = [log.entries for log in sample.logs]
        self._event = msgspec.json.Decoder(ANY_EVENT)
        self._envelope = msgspec.json.Decoder(Envelope)
        self.facts = [[CODEC.decode(entry)[1] for entry in log] for log in self.logs]
        self.texts = [list(map(_as_json, log, facts)) for log, facts in zip(self.logs, self.facts, strict=True)]

    def fold(self) -> list[Match]:
        """Fold facts that were decoded beforehand."""
        return [_folded(facts) for facts in self.facts]

    def stored(self) -> list[Match]:
        """Decode the entries and fold them."""
        return [_folded(CODEC.decode(entry)[1] for entry in log) for log in self.logs]

    def chained(self) -> list[Match]:
        """Hash the entries to their chain, decode and fold them, as a load does."""
        for log in self.logs:
            chain_over(GENESIS, log)
        return self.stored()

    def json(self) -> list[Match]:
        """Decode the same envelopes from JSON, and fold them."""
        return [_folded(self._event.decode(self._envelope.decode(text).event) for text in texts) for texts in self.texts]


def _as_json(entry: bytes, fact: Event) -> bytes:
    envelope = CODEC.decode(entry)[0]
    return msgspec.json.encode(msgspec.structs.replace(envelope, event=msgspec.Raw(msgspec.json.encode(fact))))


def _folded(facts: Iterable[Event]) -> Match:
    match = Match(GAMES)
    for fact in facts:
        match.fold(fact)
    return match


def beside(sample: Sample) -> Beside:
    """Measure both libraries with the same events; both have to end in the same states."""
    from bench.aggregate import Peer, Quicker, Usual  # noqa: PLC0415 - without the other library the rest can be measured

    ours = Ours(sample)
    usual, quick = Peer(Usual, ours.facts), Peer(Quicker, ours.facts)
    sides: dict[str, Callable[[], list[Match]]] = {
        "ours: fold": ours.fold,
        "peer: mutate": usual.folder(),
        "ours: stored as JSON": ours.json,
        "peer: stored as JSON": usual.loaded,
        "peer: stored as JSON, our decoder": quick.loaded,
        "peer: our decoder, no repository": quick.mutated,
        "ours: stored": ours.stored,
        "ours: stored and chained": ours.chained,
    }
    wanted = [digest_of(match) for match in ours.fold()]
    for name, side in sides.items():
        assert [digest_of(match) for match in side()] == wanted, name
    sizes = {
        "ours": sum(len(entry) for log in ours.logs for entry in log),
        "ours, as JSON": sum(len(text) for texts in ours.texts for text in texts),
        "peer": usual.stored_bytes(),
    }
    return Beside(
        name=sample.name,
        rates=rates(sample.events, sides),
        stored={name: round(size / sample.events, 1) for name, size in sizes.items()},
    )
