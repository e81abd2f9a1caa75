"""The web client's check of who signs the log, in Node.js: a new key counts if the log has a hand-over by the one before."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tafelrunde.service.features.transparency.checks import key_content
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.signing.notes import PrivateKey
from tafelrunde.service.signing.signer import Signer
from tests.support.paths import ROOT
from tests.support.table import NOW_MS, Table, opened
from tests.support.verifying import asked

pytestmark = pytest.mark.anyio

PROGRAM = ROOT / "tests" / "support" / "comparing.mjs"
SEEDS = [bytes([number]) * 32 for number in range(1, 6)]
WRONG = "the log: it is signed with a key that the one that was kept has not handed over to"


def hand_over(former: bytes, fresh: bytes, origin: str) -> str:
    """Return the leaf by which one key hands over to another."""
    key = PrivateKey(origin, fresh).public.text
    signature = PrivateKey(origin, former).raw_signature(key_content(key, NOW_MS))
    return f"{key_content(key, NOW_MS).decode()}{base64.b64encode(signature).decode()}\n"


async def replaced(table: Table) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """Replace the key twice during a match; return what a player kept, the record, and what the service answers."""
    log = table.application.get(TransparencyLog)
    origin = table.application.get(TransparencyLog).signer.origin
    log.signer = Signer(origin, SEEDS[:1])
    await log.note_key()
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.application.finalizer.openings()
    first = (await table.get("/log/checkpoint")).json
    facts = (await table.get(f"/matches/{match}", one)).json
    keys = (await table.get("/log/keys")).json["keys"]
    for count in (2, 3):
        log.signer = Signer(origin, SEEDS[count - 1 :: -1])
        await log.note_key()
    await table.finish(match, one, other)
    await table.application.finalizer.portion()
    record = (await table.get(f"/matches/{match}/record", one, headers=[("Accept", "application/x-ndjson")])).body.decode()
    start = first["size"]
    size = (await table.get("/log/checkpoint")).json["size"]
    steps = [(start, size), *((at, at + 1) for at in range(start, size)), *((at, size) for at in range(start, size))]
    paths = ["log/checkpoint", "log/keys", "log/cosignatures", f"log/openings/{match}", f"log/proofs/{match}"]
    paths += [f"log/entries?from={start}&limit=1000", *(f"log/consistency?from={one}&to={two}" for one, two in steps)]
    answers = {path: (await table.get(f"/{path}", one)).json for path in paths}
    opening = answers[f"log/openings/{match}"]["index"]
    assert opening != start, "another page of entries than that of the hand-overs"
    entries = f"log/entries?from={opening}&limit=1000"
    answers[entries] = (await table.get(f"/{entries}")).json
    kept = {"match": match, "commitment": facts["commitment"], "origin": origin, "keys": keys, "checkpoints": [first["signed"]]}
    return kept, record, answers


async def test_browser_follows_hand_overs_in_the_log_and_nothing_else(tmp_path: Path) -> None:
    """Two keys, one after the other; without the leaf, with another's signature, or outside the log it is wrong."""
    async with opened() as table:
        kept, record, answers = await replaced(table)
        origin = kept["origin"]
        (size, root) = await table.application.get(TransparencyLog).at(None)
    name = next(path for path in answers if path.startswith("log/entries"))
    page = answers[name]
    noted = [at for at, entry in enumerate(page["entries"]) if (entry["text"] or "").startswith("tafelrunde.key.1")]
    assert len(noted) == 2

    def shown(place: int, text: str | None) -> dict[str, Any]:
        entries = [{**entry, "text": text} if at == place else entry for at, entry in enumerate(page["entries"])]
        return {name: {**page, "entries": entries}}

    def signed(seed: bytes) -> dict[str, Any]:
        return {"log/checkpoint": {**answers["log/checkpoint"], "signed": str(Signer(origin, [seed]).checkpoint(size, root))}}

    others = [
        shown(noted[0], None),
        shown(noted[0], hand_over(SEEDS[4], SEEDS[1], origin)),
        signed(SEEDS[3]),
        {**signed(SEEDS[3]), **shown(noted[1], hand_over(SEEDS[1], SEEDS[3], origin))},  # shown to this reader alone
    ]
    path = tmp_path / "keys.json"
    path.write_text(
        json.dumps({"kept": kept, "record": record, "readers": [answers, *({**answers, **other} for other in others)]})
    )
    right, *wrong = asked(PROGRAM, str(path))
    assert (right[1], {"key", "log", "opening", "end"} <= {*right[0]}) == (None, True)
    assert [what for _, what in wrong] == [WRONG] * len(others)
