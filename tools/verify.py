#!/usr/bin/env python3
"""Check the record of a finished match with nothing but Python: python3 verify.py RECORD.

RECORD is a file: the lines of a record, or the document {"lines": [...]} that the service gives by default. What is checked:

- the entries are numbered and chained, and their readable part says what their bytes say;
- head and end say what the entries say: game, options, seats, commitment; status, secret, nonces, placings, chain, state;
- the secret is the one that was committed to in the first entry;
- the deals are numbered as they were committed to, before the end, and the cards of each deal line lead to the root that was.

It knows no rules. So no deck is dealt again, no command is decided again, and that an event gave a seat the cards of the deal
line, or that the placings are those of the play, is not checked: `tafelrunde verify` does all of that. docs/fair-dealing.md
tells the scheme, docs/records.md the format.
"""

import base64
import hashlib
import hmac
import json
import re
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


def named(pairs):
    """Return a map whose names are texts, each there once."""
    found = dict(pairs)
    need(len(found) == len(pairs) and all(isinstance(name, str) for name in found), "a name that comes twice, or is no text")
    return found


def alike(one, other):
    """Return whether two values are written alike: 1, 1.0 and true are three."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


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
            return named([(self.value(), self.value()) for _ in range(size)])
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


NAMES = {
    "head": "line format match game rules_version rules software seats options commitment entries schemas",
    "entry": "line version bytes chain time_ms actor command_id correlation_id event command digest",
    "deal": "line deal root cards",
    "end": "line status secret nonces placings chain state",
}
LATEST_MS = 253_402_300_800_000
ENDS = {"match.ended.1": "over", "match.aborted.1": "aborted"}
DECODER = json.JSONDecoder(object_pairs_hook=named)


def rows_of(content):
    """Return the lines of a record, each with its line feed, from lines or from one document."""
    if not content.startswith(b'{"lines":['):
        return content.splitlines(keepends=True)
    text, at, rows = content.decode().rstrip(), len('{"lines":['), []
    while True:
        _, end = DECODER.raw_decode(text, at)
        rows.append(f"{text[at:end]}\n".encode())
        if text[end : end + 1] != ",":
            need(text[end:] == "]}", "the end of the document")
            return rows
        at = end + 1


def line_of(number, row):
    """Return a line, which has just the names that a line of its kind has."""
    line = DECODER.decode(row.decode())
    need(isinstance(line, dict) and line.get("line") in NAMES, f"line {number}: its kind")
    need(list(line) == NAMES[line["line"]].split(), f"line {number}: its names")
    return line


def check_entries(lines):
    """Check numbers, chain, that each line says what its bytes say, and that each command's last entry has a state digest."""
    chain, complete = bytes(32), True
    for number, line in enumerate(lines, start=1):
        need(alike(line["version"], number), f"entry {number}: its number")
        content = base64.b64decode(line["bytes"], validate=True)
        need(base64.b64encode(content).decode() == line["bytes"], f"entry {number}: its bytes")
        chain = hashlib.sha256(chain + content).digest()
        need(chain.hex() == line["chain"], f"entry {number}: the chain")
        time_ms, actor, command_id, correlation_id, event, command, digest = unpacked(content)
        said = [line[name] for name in ("time_ms", "actor", "command_id", "correlation_id", "event", "command", "digest")]
        held = [time_ms, actor, command_id, correlation_id, event, unpacked(command) if command else None, digest.hex() or None]
        need(alike(said, held), f"entry {number}: what it says")
        need({type(event), type(line["command"])} <= {dict, type(None)} and event, f"entry {number}: its event or command")
        need(type(time_ms) is int and 0 <= time_ms < LATEST_MS, f"entry {number}: its time")
        need(bool(command) == complete, f"entry {number}: a command where the one before is complete, and only there")
        complete = bool(digest)
    need(complete, "the state after the last command")


def check_ends(head, end, entries):
    """Check that the first and the last line say what the entries say."""
    events = [line["event"] for line in entries]
    opened, last = events[0], [event for event in events if event["type"] in ENDS]
    need([event["type"] for event in events if event["type"].startswith("match.opened.")] == [opened["type"]], "one opening")
    need(opened["type"] == "match.opened.1" and len(last) == 1, "one opening, as the first entry, and one end")
    for name in ("game", "rules_version", "seats", "options", "commitment"):
        need(alike(head[name], opened[name]), f"head: {name}")
    need(set(head["schemas"]) <= {event["type"] for event in events}, "head: schemas")
    daily = any(event["type"] == "match.deal-of-day.1" for event in events)
    need(last[0]["secret"] == ("" if daily else opened["secret"]), "the secret of the opening, or none in the deal of a day")
    wanted = {
        "line": "end",
        "status": ENDS[last[0]["type"]],
        "secret": opened["secret"],
        "nonces": nonces_of(events, head["seats"]),
        "placings": last[0].get("placings"),
        "chain": entries[-1]["chain"],
        "state": entries[-1]["digest"],
    }
    for name, value in wanted.items():
        need(alike(end[name], value), f"end: {name}")


def nonces_of(events, seats):
    """Return the nonce of each seat."""
    need(type(seats) is int and 0 < seats < 100, "head: seats")
    nonces = [""] * seats
    for event in events:
        if event["type"] in {"match.seat-taken.1", "match.bot-seated.1", "match.seat-left.1", "match.seat-cleared.1"}:
            nonces[event["seat"]] = event.get("nonce", "")
    return nonces


def check_secret(head, end):
    """Check the shapes of id, secret and nonces, which leave one way to write each, and the commitment."""
    need(re.fullmatch("m[a-z2-7]{24}", head["match"]), "the match's id")
    need(re.fullmatch("[a-z0-9-]{1,40}", head["game"]), "the game's id")
    need(re.fullmatch("[0-9a-f]{64}", end["secret"]), "a secret of 64 hex digits")
    need(all(re.fullmatch("[A-Za-z0-9_-]{0,64}", nonce) for nonce in end["nonces"]), "the nonces")
    commitment = hashlib.sha256(f"tafelrunde/commitment/1|{head['match']}|{end['secret']}".encode()).hexdigest()
    need(commitment == head["commitment"], "the commitment to the secret")


def commitments(events):
    """Return what was committed to, deal by deal: counted from 1, none twice, none after the end."""
    found, over = [], False
    for event in events:
        over = over or event["type"] in ENDS
        if event["type"] == "match.cards-committed.1":
            need(not over, f"deal {len(found) + 1}: a commitment after the end")
            found.append(event)
            need(alike(event["deal"], len(found)), f"deal {len(found)}: its commitment, once and in order")
    return found


def check_deal(name, line, committed, key):
    """Check that the cards of a deal are those that were committed to."""
    number = committed["deal"]
    wanted = [number, committed["root"], committed["size"]]
    need(alike([line["deal"], line["root"], len(line["cards"])], wanted), f"deal {number}: its commitment")
    need(all(type(seat) is int and type(card) is str for seat, card in line["cards"]), f"deal {number}: seats and cards")
    ordered = sorted((seat, card) for seat, card in line["cards"])
    placed = shuffled(key, f"tafelrunde/order/1|{name}|{number}", ordered)
    need(placed == [tuple(each) for each in line["cards"]], f"deal {number}: the order")
    leaves = []
    for index, (seat, card) in enumerate(line["cards"]):
        salt = hmac.digest(key, f"tafelrunde/salt/1|{name}|{number}|{index}".encode(), "sha256")
        leaves.append(hashlib.sha256(b"\x00" + salt + f"{name}|{number}|{index}|{seat}|{card}".encode()).digest())
    need(root(leaves).hex() == line["root"], f"deal {number}: its cards")


def check_rows(rows):
    """Check the lines of a record; return what was checked."""
    need(len(rows) >= 4, "a record")
    total = hashlib.sha256(b"".join(rows[:-1])).hexdigest()
    need(rows[-1] == b'{"line":"sum","sum":"%s"}\n' % total.encode(), "the sum over all lines")
    lines = [line_of(number, row) for number, row in enumerate(rows[:-1], start=1)]
    head, end = lines[0], lines[-1]
    need(head["line"] == "head" and head["format"] == "tafelrunde.record.1", "the first line")
    entries = [line for line in lines if line["line"] == "entry"]
    deals = [line for line in lines if line["line"] == "deal"]
    need(entries and alike(head["entries"], len(entries)), "the number of entries")
    need(lines == [head, *entries, *deals, end] and end["line"] == "end", "the order of the lines")
    check_entries(entries)
    check_ends(head, end, entries)
    check_secret(head, end)
    committed = commitments([line["event"] for line in entries])
    need(len(committed) == len(deals), "a line for each deal")
    for line, event in zip(deals, committed, strict=True):
        check_deal(head["match"], line, event, bytes.fromhex(end["secret"]))
    return "\n".join(told(head, end, len(deals), [line["event"] for line in entries]))


def told(head, end, deals, events):
    """Yield what was checked, in sentences."""
    checked = f"{len(events)} entries are chained, and {deals} deals are as they were committed to"
    yield f"{head['match']} ({head['game']}): {checked}. No rules were asked."
    for event in events:
        if event["type"] == "match.branched.1":
            yield f"It takes up match {event['match']!a}, whose cards were not dealt here."
        if event["type"] == "match.lesson-begun.1":
            yield "It is a lesson: its cards are the same for everyone."
    yield f"Compare with what you were told: commitment {head['commitment']}, last chain {end['chain']}."


def check(content):
    """Check a record; return what was checked, raise Wrong for the first thing that is not right."""
    try:
        return check_rows(rows_of(content))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Wrong(f"a record that can be read ({type(error).__name__}: {error})") from error


def main():
    """Check the file that the command line names."""
    if sys.argv[1:] == ["--help"]:
        sys.stdout.write(f"{__doc__}\nusage: verify.py [--help] RECORD\n")
        return
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.stderr.write("usage: verify.py [--help] RECORD\n")
        sys.exit(2)
    try:
        sys.stdout.write(f"{check(Path(sys.argv[1]).read_bytes())}\n")
    except Wrong as error:
        sys.exit(f"Wrong: {ascii(str(error))[1:-1]}")
    except OSError as error:
        sys.stderr.write(f"{sys.argv[1]} cannot be read: {error.strerror}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
