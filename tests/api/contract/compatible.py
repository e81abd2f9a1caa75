"""Which contract changes break clients: every change between two contracts after which a correct client is incorrect.

What a client sends must still be accepted, and what it gets must still be as promised. So a schema of a request may
only grow wider, and one of an answer only narrower, but for fields that are added. Unions and enums that the contract marks with
`x-extensible` may grow in answers too.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from tests.support.references import inline

Json: TypeAlias = Mapping[str, Any]
REF = "#/components/"
LOWER = ("minimum", "minLength", "minItems")
UPPER = ("maximum", "maxLength", "maxItems")


class Break(NamedTuple):
    """A breaking change: the operation it affects, where in it, and what changed."""

    operation: str
    place: str
    what: str


class Contract:
    """A contract whose references can be resolved."""

    def __init__(self, written: dict[str, Any]) -> None:
        document = inline(written)
        self.document = document
        self.operations: dict[tuple[str, str], Json] = {
            (path, method): operation for path, methods in document["paths"].items() for method, operation in methods.items()
        }

    def follow(self, node: Json) -> Json:
        """Return the target of a reference, or the node itself."""
        target: str | None = node.get("$ref")
        if target is None:
            return node
        _, kind, name = target.removeprefix("#/").split("/")
        return self.document["components"][kind][name]


class Comparison:
    """Compares two schemas of one operation: *sent* is what may be sent, *taken* what the other side accepts.

    For a request the old contract defines what is sent and the new one what is taken; for an answer it is the other way round.
    """

    def __init__(self, sender: Contract, taker: Contract, answer: bool) -> None:
        self._sender = sender
        self._taker = taker
        self._answer = answer
        self._seen: set[tuple[str, str]] = set()

    def faults(self, sent: Json, taken: Json, place: str) -> Iterator[tuple[str, str]]:
        """Yield where, and why, something that may be sent is not accepted."""
        pair = (sent.get("$ref", ""), taken.get("$ref", ""))
        if all(pair):
            if pair in self._seen:
                return
            self._seen.add(pair)
            place = pair[1].rpartition("/")[2]
        many, ready = _variants(self._sender.follow(sent)), _variants(self._taker.follow(taken))
        if many is not None or ready is not None:
            known = self._open(self._taker.follow(taken))
            yield from self._of_variants(many or [sent], ready or [taken], known, place)
            return
        sent, taken = self._sender.follow(sent), self._taker.follow(taken)
        yield from ((place, what) for what in self._of_values(sent, taken))
        yield from self._of_objects(sent, taken, place)
        yield from self._of_lists(sent, taken, place)

    def _of_variants(self, many: Sequence[Json], ready: Sequence[Json], growing: bool, place: str) -> Iterator[tuple[str, str]]:
        """Every variant that may be sent must match one that is taken: the one with its name, or else one with its types.

        An extensible union that keeps all its old variants has only grown: new ones are not compared with any of them.
        """
        others = [(_variant(self._taker, other), other) for other in ready]
        sent = {_variant(self._sender, each).name for each in many}
        added = growing and all(known.name in sent for known, _ in others)
        for each in many:
            name, types, tagged = _variant(self._sender, each)
            same = [other for known, other in others if known.name == name]
            if not same and not tagged and not added:
                same = [other for known, other in others if known.types == types]
            if not same:
                if not growing:
                    yield place, f"`{name}` is {'new' if self._answer else 'gone'}"
            elif not any(self._fits(each, other) for other in same):
                yield from self.faults(each, same[0], f"{place} {name}")

    def _fits(self, sent: Json, taken: Json) -> bool:
        """Return whether there are no faults; schemas visited on the way are forgotten again."""
        apart = Comparison(self._sender, self._taker, self._answer)
        apart._seen = set(self._seen)
        return not any(True for _ in apart.faults(sent, taken, ""))

    def _open(self, taken: Json) -> bool:
        return self._answer and taken.get("x-extensible", False)

    def _of_values(self, sent: Json, taken: Json) -> Iterator[str]:
        if (types := _types(taken)) and not (_types(sent) and _types(sent) <= types):
            yield f"type {_told(_types(sent))} instead of {_told(_types(taken))}"
        if sent.get("format") != taken.get("format"):
            yield f"format {sent.get('format')} instead of {taken.get('format')}"
        values, known = _values(sent), _values(taken)
        if known is not None and not self._open(taken) and (values is None or not values <= known):
            yield f"values {_told((values or {'any'}) - known)} are {'new' if self._answer else 'gone'}"
        for bound in (*LOWER, *UPPER):
            if bound in taken and values is None and not _within(bound, sent.get(bound), taken[bound]):
                yield f"{bound} {sent.get(bound)} does not fit {taken[bound]}"
        if "pattern" in taken and values is None and sent.get("pattern") != taken["pattern"]:
            yield f"pattern {sent.get('pattern')} instead of {taken['pattern']}"

    def _of_objects(self, sent: Json, taken: Json, place: str) -> Iterator[tuple[str, str]]:
        fields, known = sent.get("properties", {}), taken.get("properties", {})
        sure = set(sent.get("required", ()))
        yield from ((place, f"field `{name}` is not sure to be there") for name in taken.get("required", ()) if name not in sure)
        gone = known.keys() - fields if self._answer else fields.keys() - known
        yield from ((place, f"field `{name}` is gone") for name in sorted(gone))
        for name in fields.keys() & known:
            yield from self.faults(fields[name], known[name], f"{place}.{name}")
        more, ready = sent.get("additionalProperties"), taken.get("additionalProperties")
        if isinstance(ready, dict):
            yield from self.faults(more if isinstance(more, dict) else {}, ready, f"{place}.*")
        elif ready is False and more is not False and not self._answer:
            yield place, "other fields are refused"

    def _of_lists(self, sent: Json, taken: Json, place: str) -> Iterator[tuple[str, str]]:
        here, there = sent.get("prefixItems", ()), taken.get("prefixItems", ())
        for index, (one, other) in enumerate(zip(here, there, strict=False)):
            yield from self.faults(one, other, f"{place}[{index}]")
        if isinstance(taken.get("items"), dict):
            yield from self.faults(sent.get("items") or {}, taken["items"], f"{place}[]")


def breaks(old: dict[str, Any], new: dict[str, Any]) -> list[Break]:
    """Return all breaking changes, each once."""
    return list(dict.fromkeys(_Release(Contract(old), Contract(new)).breaks()))


class _Release:
    """Compares an old contract with a new one."""

    def __init__(self, old: Contract, new: Contract) -> None:
        self._old = old
        self._new = new

    def breaks(self) -> Iterator[Break]:
        for key, old in self._old.operations.items():
            new = self._new.operations.get(key)
            if new is None:
                yield Break(old["operationId"], f"{key[1].upper()} {key[0]}", "the operation is gone")
                continue
            for place, what in self._operation(old, new):
                yield Break(old["operationId"], place, what)

    def _operation(self, old: Json, new: Json) -> Iterator[tuple[str, str]]:
        if old["operationId"] != new["operationId"]:
            yield "operationId", f"is now `{new['operationId']}`"
        yield from _security(old, new)
        yield from self._parameters(old.get("parameters", ()), new.get("parameters", ()))
        yield from self._body(old.get("requestBody"), new.get("requestBody"))
        yield from self._answers(old["responses"], new["responses"])

    def _parameters(self, old: Sequence[Json], new: Sequence[Json]) -> Iterator[tuple[str, str]]:
        before = {(each["in"], each["name"]): each for each in old}
        after = {(each["in"], each["name"]): each for each in new}
        for key, each in before.items():
            if key not in after:
                yield f"{key[0]} {key[1]}", "the parameter is gone"
            else:
                yield from self._asked().faults(each["schema"], after[key]["schema"], f"{key[0]} {key[1]}")
        for key, each in after.items():
            if each["required"] and not before.get(key, {"required": False})["required"]:
                yield f"{key[0]} {key[1]}", "the parameter must be there now"

    def _asked(self) -> Comparison:
        return Comparison(self._old, self._new, answer=False)

    def _body(self, old: Json | None, new: Json | None) -> Iterator[tuple[str, str]]:
        if new is not None and new["required"] and not (old or {"required": False})["required"]:
            yield "body", "must be there now"
        if old is not None:
            contents: Json = new["content"] if new is not None else {}
            for media, content in old["content"].items():
                if media not in contents:
                    yield f"body {media}", "is no longer taken"
                else:
                    yield from self._asked().faults(content["schema"], contents[media]["schema"], "body")

    def _answers(self, old: Json, new: Json) -> Iterator[tuple[str, str]]:
        """Successful answers stay valid, and no new ones appear. How a request is refused may change: clients read problems."""
        for status in sorted({each for each in {*old, *new} if each < "300"}):
            if status not in old or status not in new:
                yield status, f"the answer is {'gone' if status in old else 'new'}"
                continue
            before, after = old[status], new[status]
            for part, word in (("headers", "header"), ("links", "link")):
                for name in before.get(part, {}).keys() - after.get(part, {}).keys():
                    yield f"{status} {word} {name}", f"the {word} is gone"
            yield from self._contents(before.get("content", {}), after.get("content", {}), status)

    def _contents(self, old: Json, new: Json, status: str) -> Iterator[tuple[str, str]]:
        for media, content in old.items():
            if media not in new:
                yield f"{status} {media}", "is no longer given"
            else:
                answered = Comparison(self._new, self._old, answer=True)
                yield from answered.faults(new[media]["schema"], content["schema"], status)


def _security(old: Json, new: Json) -> Iterator[tuple[str, str]]:
    """A token that was sufficient must stay sufficient, and none may become required."""
    if _free(old) and not _free(new):
        yield "security", "a token is needed now"
    if new.get("x-scope") != old.get("x-scope") and new["security"] and old["security"]:
        yield "security", f"scope `{new.get('x-scope')}` is needed instead of `{old.get('x-scope')}`"


def _free(operation: Json) -> bool:
    return not operation["security"] or {} in operation["security"]


class _Variant(NamedTuple):
    """What distinguishes a variant: its tag, the name of its schema, or its types."""

    name: str
    types: set[str]
    tagged: bool


def _variant(contract: Contract, node: Json) -> _Variant:
    schema = contract.follow(node)
    types = _types(schema)
    tag: str | None = schema.get("properties", {}).get("type", {}).get("const")
    return _Variant(tag or node.get("$ref", "").rpartition("/")[2] or _told(types), types, tag is not None)


def _variants(schema: Json) -> list[Json] | None:
    if "if" in schema:
        return [schema["then"], *(_variants(schema["else"]) or [schema["else"]])]
    return schema.get("oneOf") or schema.get("anyOf")


def _types(schema: Json) -> set[str]:
    types = schema.get("type", [])
    found = {types} if isinstance(types, str) else set(types)
    return found | {"integer"} if "number" in found else found


def _values(schema: Json) -> set[object] | None:
    if "const" in schema:
        return {schema["const"]}
    return set(schema["enum"]) if "enum" in schema else None


def _within(bound: str, sent: int | None, taken: int) -> bool:
    return sent is not None and (sent >= taken if bound in LOWER else sent <= taken)


def _told(values: set[Any]) -> str:
    return ", ".join(sorted(map(str, values))) or "any"


def untold(old: dict[str, Any], new: dict[str, Any], changelog: str) -> list[str]:
    """Return the breaking changes that are not allowed: a new path version allows those whose operation the changelog names."""
    unreleased = changelog.partition("## [Unreleased]")[2].partition("\n## ")[0]
    told = unreleased.partition("\n### Breaking\n")[2].partition("\n### ")[0]
    found = breaks(old, new)
    if version_of(new) > version_of(old):
        found = [each for each in found if f"`{each.operation}`" not in told]
    return [f"{each.operation}, {each.place}: {each.what}" for each in found]


def released(repository: Path) -> dict[str, Any] | None:
    """Return the contract at the newest tag of a version; None before the first release, and in a tree without its history."""
    listed = _git(repository, "tag", "--list", "v[0-9]*", "--sort=-version:refname").split()
    return json.loads(_git(repository, "show", f"{listed[0]}:openapi/openapi.json")) if listed else None


def _git(repository: Path, *arguments: str) -> str:
    place = ("git", "--git-dir", str(repository / ".git"))
    return subprocess.run([*place, *arguments], check=False, capture_output=True, text=True).stdout


def version_of(contract: Json) -> int:
    """Return the version at the start of a contract's paths."""
    return int(contract["servers"][0]["url"].rpartition("/v")[2])
