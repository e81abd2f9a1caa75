"""Used idempotency keys of a match, packed as what its entries do not say already.

An entry has the key of its command, and the first entry of a command has the command. So digest, versions and, by one of a few
rules, the fingerprint follow from the entries. Which rule holds is found by trying when the keys are packed: what no rule gives
is kept as it is, so a key of any kind comes back as it was.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from .archives import Used
from .events import Version

KEY_BYTES = 16
_BOT = re.compile(r"bot-(\d+)-(\d+)")


class PackedKeys(msgspec.Struct, frozen=True, array_like=True):
    """For each command one byte: the rule of its fingerprint. `fingerprints` that no rule gives, in order; `others`: all else."""

    rules: bytes
    fingerprints: tuple[bytes, ...]
    others: tuple[Used, ...]


class _Entry(msgspec.Struct, array_like=True):
    """What is read of an entry: the rest of it is not decoded."""

    time_ms: msgspec.Raw
    actor: msgspec.Raw
    command_id: str
    correlation_id: msgspec.Raw
    event: msgspec.Raw
    command: bytes = b""


class _Command(NamedTuple):
    """Entries with one command id: the versions of the first and last one, and the command."""

    key: str
    first: Version
    last: Version
    command: bytes

    @property
    def digest(self) -> bytes:
        return short_key(self.key)


_DECODER = msgspec.msgpack.Decoder(_Entry)
_encode = msgspec.msgpack.Encoder().encode


def short_key(key: str) -> bytes:
    """Return what stands for an idempotency key: short enough to keep all keys of a match compact."""
    return hashlib.sha256(key.encode()).digest()[:KEY_BYTES]


def _of_player(command: _Command) -> bytes:
    return hashlib.sha256(b"\x91" + command.command).digest()


def _of_bot(command: _Command) -> bytes:
    found = _BOT.fullmatch(command.key)
    return hashlib.sha256(_encode(("bot", int(found[1]), int(found[2])))).digest() if found is not None else b""


def _of_key(command: _Command) -> bytes:
    return hashlib.sha256(_encode((command.key,))).digest()


_UNUSED, _EXPLICIT = 0, 1
_RULES: Mapping[int, Callable[[_Command], bytes]] = {2: _of_player, 3: _of_bot, 4: _of_key}
"""By number, which archives have in them: never change one."""


def _commands(entries: Sequence[bytes]) -> Iterator[_Command]:
    """Yield the commands of entries in order; entries that are none of a match end it."""
    key = ""
    first = 0
    command = b""
    for version, entry in enumerate(entries, start=1):
        try:
            found = _DECODER.decode(entry)
        except msgspec.MsgspecError:
            return
        if found.command_id != key or not first:
            if first:
                yield _Command(key, Version(first), Version(version - 1), command)
            key = found.command_id
            first = version
            command = found.command
    if first:
        yield _Command(key, Version(first), Version(len(entries)), command)


def pack_keys(entries: Sequence[bytes], used: Sequence[Used]) -> PackedKeys:
    """Return what the entries do not say."""
    left = {(each.digest, each.first, each.last): each for each in used}
    rules = bytearray()
    fingerprints = list[bytes]()
    for command in _commands(entries):
        found = left.pop((command.digest, command.first, command.last), None)
        rules.append(_UNUSED if found is None else _rule(command, found.fingerprint))
        if found is not None and rules[-1] == _EXPLICIT:
            fingerprints.append(found.fingerprint)
    return PackedKeys(bytes(rules), tuple(fingerprints), tuple(left.values()))


def unpack_keys(entries: Sequence[bytes], packed: PackedKeys) -> tuple[Used, ...]:
    """Return the keys in order of `first`; raise ValueError if they do not belong to the entries."""
    explicit = iter(packed.fingerprints)
    found = list(packed.others)
    for rule, command in zip(packed.rules, _commands(entries), strict=True):
        if rule != _UNUSED:
            fingerprint = next(explicit, b"") if rule == _EXPLICIT else _fingerprint(rule, command)
            found.append(Used(command.digest, fingerprint, command.first, command.last))
    return tuple(sorted(found, key=lambda each: each.first))


def _rule(command: _Command, fingerprint: bytes) -> int:
    return next((rule for rule, of in _RULES.items() if of(command) == fingerprint), _EXPLICIT)


def _fingerprint(rule: int, command: _Command) -> bytes:
    if rule not in _RULES:
        raise ValueError(f"there is no rule {rule} for fingerprints")
    return _RULES[rule](command)
