#!/usr/bin/env python3
"""Check the record of a finished match with nothing but Python: python3 verify.py RECORD.

It checks that the entries are chained as they say, that their readable part says what their bytes say, that the secret is the
one that was committed to before the deal, and that every card of every deal is the one that was committed to then. It knows no
rules; `tafelrunde verify` also decides every command again. The scheme is told in docs/fair-dealing.md.
"""

import base64
import hashlib
import hmac
import json
import struct
import sys
from pathlib import Path


class Wrong(Exception):
    """Something in the record is not what it must be."""


def need(truth, what):
    """Complain unless something is true."""
    if not truth:
        raise Wrong(what)


SIZES = dict(zip((0xC4, 0xC5, 0xC6, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF), "BHIBHIHIHI", strict=True))
NUMBERS = dict(zip((*range(0xCA, 0xD0), *range(0xD0, 0xD4)), "fdBHIQbhiq", strict=True))
WORDS = {0xC0: None, 0xC2: False, 0xC3: True}


class Reader:
    """Reads MessagePack, as far as entries need it."""

    def __init__(self, content):
        self.content = content
        self.at = 0

    def take(self, count):
        """Return the next bytes."""
        need(self.at + count <= len(self.content), "an entry that is cut off")
        self.at += count
        return self.content[self.at - count : self.at]

    def number(self, form):
        """Return the next number of a form, big-endian."""
        return struct.unpack(f">{form}", self.take(struct.calcsize(f">{form}")))[0]

    def value(self):
        """Return the next value."""
        kind = self.take(1)[0]
        if kind < 0x80 or kind >= 0xE0:
            return kind if kind < 0x80 else kind - 0x100
        if kind < 0xC0:
            return self.sized({0x80: "map", 0x90: "list"}.get(kind & 0xF0, "text"), kind & (0x0F if kind < 0xA0 else 0x1F))
        if kind in WORDS:
            return WORDS[kind]
        if kind in NUMBERS:
            return self.number(NUMBERS[kind])
        need(kind in SIZES, "an entry in a form that is not known")
        what = "bytes" if kind <= 0xC6 else "text" if kind <= 0xDB else "list" if kind <= 0xDD else "map"
        return self.sized(what, self.number(SIZES[kind]))

    def sized(self, what, size):
        """Return the next value of a kind whose size is known."""
        if what == "map":
            return {self.value(): self.value() for _ in range(size)}
        if what == "list":
            return [self.value() for _ in range(size)]
        return self.take(size) if what == "bytes" else self.take(size).decode()


def unpacked(content):
    """Return the one value that some bytes hold."""
    reader = Reader(content)
    found = reader.value()
    need(reader.at == len(content), "an entry with something behind it")
    return found


def words(key, prefix):
    """Yield the 64-bit numbers of a draw."""
    block = 0
    while True:
        yield from struct.unpack(">4Q", hmac.digest(key, f"{prefix}|{block}".encode(), "sha256"))
        block += 1


def shuffled(key, prefix, items):
    """Return items in the order of a draw: Fisher-Yates from the last place down, without favour."""
    deck, numbers = list(items), words(key, prefix)
    for place in range(len(deck) - 1, 0, -1):
        limit = 2**64 - 2**64 % (place + 1)
        other = next(number for number in numbers if number < limit) % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def root(leaves):
    """Return the Merkle root of hashed leaves (RFC 6962, section 2.1)."""
    if len(leaves) <= 1:
        return leaves[0] if leaves else hashlib.sha256(b"").digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + root(leaves[:split]) + root(leaves[split:])).digest()


def check_entries(lines):
    """Check numbers, chain, and that each line says what its bytes say; return the last chain."""
    chain = bytes(32)
    for number, line in enumerate(lines, start=1):
        need(line["version"] == number, f"entry {number}: its number")
        content = base64.b64decode(line["bytes"], validate=True)
        need(base64.b64encode(content).decode() == line["bytes"], f"entry {number}: its bytes")
        chain = hashlib.sha256(chain + content).digest()
        need(chain.hex() == line["chain"], f"entry {number}: the chain")
        time_ms, actor, command_id, correlation_id, event, command, digest = unpacked(content)
        said = [line[name] for name in ("time_ms", "actor", "command_id", "correlation_id", "event", "command", "digest")]
        held = [time_ms, actor, command_id, correlation_id, event, unpacked(command) if command else None, digest.hex() or None]
        need(said == held, f"entry {number}: what it says")
    return chain.hex()


def check_deal(head, line, committed, key):
    """Check that the cards of a deal are those that were committed to."""
    name, number = head["match"], line["deal"]
    need(committed.get(number) == (line["root"], len(line["cards"])), f"deal {number}: its commitment")
    ordered = sorted((seat, card) for seat, card in line["cards"])
    placed = shuffled(key, f"tafelrunde/order/1|{name}|{number}", ordered)
    need(placed == [tuple(each) for each in line["cards"]], f"deal {number}: the order")
    leaves = []
    for index, (seat, card) in enumerate(line["cards"]):
        salt = hmac.digest(key, f"tafelrunde/salt/1|{name}|{number}|{index}".encode(), "sha256")
        leaves.append(hashlib.sha256(b"\x00" + salt + f"{name}|{number}|{index}|{seat}|{card}".encode()).digest())
    need(root(leaves).hex() == line["root"], f"deal {number}: its cards")


def check(content):
    """Check a record; return what was checked, raise Wrong for the first thing that is not right."""
    rows = content.splitlines(keepends=True)
    need(len(rows) >= 3, "a record")
    total = hashlib.sha256(b"".join(rows[:-1])).hexdigest()
    need(rows[-1] == b'{"line":"sum","sum":"%s"}\n' % total.encode(), "the sum over all lines")
    lines = [json.loads(row) for row in rows[:-1]]
    head, end = lines[0], lines[-1]
    need(head.get("line") == "head" and head.get("format") == "tafelrunde.record.1", "the first line")
    need(end.get("line") == "end", "the line with the secret")
    entries = [line for line in lines if line["line"] == "entry"]
    deals = [line for line in lines if line["line"] == "deal"]
    need(len(entries) == head["entries"] and len(lines) == 2 + len(entries) + len(deals), "the number of lines")
    need(check_entries(entries) == end["chain"], "the last chain")
    opened, secret = entries[0]["event"], end["secret"]
    commitment = hashlib.sha256(f"tafelrunde/commitment/1|{head['match']}|{secret}".encode()).hexdigest()
    need(commitment == head["commitment"] == opened["commitment"] and secret == opened["secret"], "the commitment to the secret")
    events = [line["event"] for line in entries]
    committed = {each["deal"]: (each["root"], each["size"]) for each in events if each["type"] == "match.cards-committed.1"}
    need(sorted(committed) == [line["deal"] for line in deals], "a line for each deal")
    for line in deals:
        check_deal(head, line, committed, bytes.fromhex(secret))
    return f"{head['match']} ({head['game']}): {len(entries)} entries and {len(deals)} deals are as they were committed to."


def main():
    """Check the file that the command line names."""
    if len(sys.argv) != 2:
        sys.exit("usage: verify.py RECORD")
    try:
        sys.stdout.write(f"{check(Path(sys.argv[1]).read_bytes())}\n")
    except (Wrong, ValueError, KeyError, TypeError, IndexError) as error:
        sys.exit(f"Wrong: {error or type(error).__name__}")


if __name__ == "__main__":
    main()
