"""Statements about programs over HTTP: signed by their operator, for everyone to check, and taken over by no one with a token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.support.table import Answer, Table

pytestmark = pytest.mark.anyio


def hexadecimal(key: Ed25519PrivateKey) -> str:
    """Return the public key of a private one."""
    return key.public_key().public_bytes_raw().hex()


class Operator:
    """The operator of a program, with its player's token and its keys."""

    def __init__(self, table: Table, player: str, token: str) -> None:
        self.table = table
        self.player = player
        self.token = token
        self.keys = [Ed25519PrivateKey.generate()]

    @classmethod
    async def found(cls, table: Table, **wish: object) -> Operator:
        """Make a player that declares to be a program, unless *wish* says otherwise."""
        made = (await table.post("/players", content={"name": "Deep Duel", "bot": True, **wish})).json
        return cls(table, made["player"]["id"], made["text"])

    def statement(
        self, version: str, *, rotates: bool = False, changed: Callable[[str], str] = str, **more: Any
    ) -> dict[str, Any]:
        """Return a statement, signed as docs/bots.md says; *rotates*: it introduces a new key."""
        if rotates:
            self.keys.append(Ed25519PrivateKey.generate())
        stated: dict[str, Any] = {
            "key": hexadecimal(self.keys[-1]),
            "previous": hexadecimal(self.keys[-2]) if rotates else None,
            "version": version,
            "source": "https://example.org/deep-duel",
            "signed_ms": self.table.now_ms,
        } | more
        lines = {"player": self.player} | stated
        text = "tafelrunde program 1\n" + "".join(f"{name} {value or '-'}\n" for name, value in lines.items())
        signed = changed(text).encode()
        stated["signature"] = self.keys[-1].sign(signed).hex()
        stated["endorsement"] = self.keys[-2].sign(signed).hex() if rotates else None
        return stated

    async def declare(self, statement: dict[str, Any]) -> Answer:
        """Send a statement."""
        self.table.now_ms += 1_000
        return await self.table.ask("PUT", "/api/v1/me/program", token=self.token, content=statement)

    async def shown(self) -> Any:
        """Return what everyone sees."""
        return (await self.table.get(f"/players/{self.player}/program")).json


def check(shown: Any) -> None:
    """Check all that is shown with another implementation, as any reader can; the keys follow from each other."""
    key = None
    for each in shown["statements"]:
        text = each["text"].encode()
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(each["key"])).verify(bytes.fromhex(each["signature"]), text)
        assert f"player {shown['player']}\nkey {each['key']}\n" in each["text"]
        if key is not None and each["key"] != key:
            assert each["previous"] == key
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(each["endorsement"]), text)
        key = each["key"]


def reason(answer: Answer) -> str:
    """Return why a statement was refused."""
    assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:statement-refused")
    return answer.json["detail"]


async def test_everyone_can_check_which_program_plays(table: Table) -> None:
    """Versions follow each other under one key, a new key is endorsed by the one before, and all of it is shown."""
    operator = await Operator.found(table)
    assert (await table.get(f"/players/{operator.player}/program")).status == 404
    for version, rotates in (("1.0", False), ("1.1", False), ("2.0", True), ("2.1", False), ("3.0", True)):
        answer = await operator.declare(operator.statement(version, rotates=rotates))
        assert answer.status == 200, answer
        assert answer.json == await operator.shown()
        check(answer.json)
    assert [each["version"] for each in (await operator.shown())["statements"]] == ["1.0", "2.0", "3.0"]


async def test_token_alone_changes_nothing(table: Table) -> None:
    """Who has stolen a token has no key: no own key, no changed version, no earlier statement again."""
    operator = await Operator.found(table)
    first = operator.statement("1.0")
    assert (await operator.declare(first)).status == 200
    assert (await operator.declare(operator.statement("2.0"))).status == 200
    before = await operator.shown()
    thief = Operator(table, operator.player, operator.token)
    assert "previous" in reason(await operator.declare(thief.statement("6.6")))
    stolen = thief.statement("6.6", rotates=True, previous=hexadecimal(operator.keys[0]))
    assert "endorsement" in reason(await operator.declare(stolen))
    assert "later" in reason(await operator.declare(first))
    newer = {**first, "signed_ms": table.now_ms, "version": "6.6"}
    assert "signature" in reason(await operator.declare(newer))
    other = operator.statement("2.1", changed=lambda text: text.replace(operator.player, "p" + 26 * "0"))
    assert "signature" in reason(await operator.declare(other))
    far = operator.statement("2.1", signed_ms=table.now_ms + 3_600_000)
    assert "future" in reason(await operator.declare(far))
    assert await operator.shown() == before


async def test_revoked_keys_stay_revoked(table: Table) -> None:
    """What they have signed stays visible with the time of the revocation, and nothing comes after it."""
    operator = await Operator.found(table)
    assert "nothing" in reason(await table.ask("DELETE", "/api/v1/me/program", token=operator.token))
    assert (await operator.declare(operator.statement("1.0"))).status == 200
    for _ in range(2):
        revoked = await table.ask("DELETE", "/api/v1/me/program", token=operator.token)
        assert revoked.status == 204
    shown = await operator.shown()
    assert shown["revoked_ms"] is not None
    assert "revoked" in reason(await operator.declare(operator.statement("1.1")))
    assert "revoked" in reason(await operator.declare(operator.statement("1.1", rotates=True)))
    assert await operator.shown() == shown


async def test_people_and_used_keys_sign_for_nothing(table: Table) -> None:
    """Only a player that declares to be a program has one, and a key that was given up does not come back."""
    person = await Operator.found(table, bot=False)
    assert "declare" in reason(await person.declare(person.statement("1.0")))
    operator = await Operator.found(table)
    for number in range(10):
        assert (await operator.declare(operator.statement(f"{number}", rotates=number > 0))).status == 200
    assert "10" in reason(await operator.declare(operator.statement("11", rotates=True)))
    again = await Operator.found(table)
    assert (await again.declare(again.statement("1"))).status == 200
    assert (await again.declare(again.statement("2", rotates=True))).status == 200
    again.keys += [again.keys[0]]
    back = again.statement("3", previous=hexadecimal(again.keys[1]))
    assert "used before" in reason(await again.declare(back))


async def test_deleted_player_leaves_no_statement(table: Table) -> None:
    """The program goes with its player."""
    operator = await Operator.found(table)
    assert (await operator.declare(operator.statement("1.0"))).status == 200
    assert (await table.ask("DELETE", "/api/v1/me", token=operator.token)).status == 204
    assert (await table.get(f"/players/{operator.player}/program")).status == 404
