"""What two signed texts prove: two checkpoints, two marks of a feed, or a mark and the record of its match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from ..domain.registry import GAMES
from ..service.errors import StartupRefused
from ..service.features.records.marks import judged_by_record
from ..service.games import Games
from ..service.signing.judge import Judgement, Ruling, judge, statement_of
from ..service.signing.notes import BadNote, PublicKey, read_note, read_public
from ..service.signing.statements import FeedMark, Statement
from .record_sources import read_file, split_record

HASH = re.compile(rb"\b[0-9a-f]{64}\b")
RECORD = (b'{"lines":[', b'{"line":"head"')
SAID = {
    Ruling.CONTRADICTION: "Contradiction: {}.",
    Ruling.AGREEMENT: "They agree: {}.",
    Ruling.OPEN: "Undecided: {}.",
}


class Signed(msgspec.Struct, frozen=True):
    """An answer of the service that has a signed note, or a witness's one."""

    signed: str = ""
    note: str = ""


class Contradiction(msgspec.Struct, frozen=True):
    """What the web client saves when a log contradicts what was kept: two signed texts, the keys, and hashes of leaves."""

    format: Literal["tafelrunde.contradiction.1"]
    texts: tuple[str, str]
    keys: tuple[str, ...]
    leaves: tuple[str, ...] = ()


def judge_files(one: Path, other: Path | None, keys: Sequence[str], leaves: Path | None, games: Games = GAMES) -> Judgement:
    """Return what the texts in two files, or in one saved by the web client, prove.

    *leaves* is a file with hashes of leaves, which count in place of those that are saved with the texts. Raises StartupRefused
    if a file cannot be read, RecordWrong for a wrong record.
    """
    hashes = [bytes.fromhex(each.decode()) for each in HASH.findall(read_file(leaves))] if leaves is not None else []
    if other is None:
        return _judge_saved(read_file(one), keys, hashes)
    if not keys:
        raise StartupRefused("Give the public key of the service with --key: a signature proves nothing without it.")
    try:
        public = [read_public(each) for each in keys]
    except BadNote as error:
        raise StartupRefused(f"--key: {error}.") from error
    first, second = read_file(one), read_file(other)
    if first.startswith(RECORD):
        first, second = second, first
    statement = _read_statement(first, public)
    if second.startswith(RECORD):
        if not isinstance(statement, FeedMark):
            raise StartupRefused("A record can be compared with the mark of a feed only: a receipt, or a page of the feed.")
        return judged_by_record(statement.mark, split_record(second), games)
    return judge(statement, _read_statement(second, public), hashes)


def _judge_saved(content: bytes, keys: Sequence[str], hashes: Sequence[bytes]) -> Judgement:
    """Return what a file proves that has both texts; without *keys* and *hashes*, by those that it has itself."""
    try:
        saved = msgspec.json.decode(content, type=Contradiction)
        public = [read_public(each) for each in keys or saved.keys]
        leaves = hashes or [bytes.fromhex(each) for each in saved.leaves]
    except (BadNote, msgspec.MsgspecError, ValueError) as error:
        raise StartupRefused(f"This is no file with two signed texts: {error}.") from error
    first, second = (_read_statement(text.encode(), public) for text in saved.texts)
    found = judge(first, second, leaves)
    if keys:
        return found
    return Judgement(found.ruling, f"{found.why}; the keys are those that the file names, so compare them with the service's")


def _read_statement(content: bytes, keys: Sequence[PublicKey]) -> Statement:
    """Return what a file says, which has a note or an answer of the service with one."""
    try:
        text = content.decode()
        if text.startswith("{"):
            answer = msgspec.json.decode(content, type=Signed)
            text = answer.signed or answer.note
        return statement_of(read_note(text), keys)
    except (BadNote, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StartupRefused(f"This proves nothing: {error}.") from error


def as_text(judgement: Judgement) -> str:
    """Return a judgement as a sentence."""
    return SAID[judgement.ruling].format(judgement.why)
