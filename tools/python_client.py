"""The parts of the Python client that are made. `python -m tools.python_client` rewrites them; a test compares them.

`shapes.py` and `concurrent/requests.py` are made from openapi/openapi.json, and all of `blocking/` from `concurrent/`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill, indent
from typing import Any, NamedTuple, TypeAlias

import msgspec
from unasync import Rule, unasync_files  # pyright: ignore[reportMissingTypeStubs]: it has none

from tests.support.paths import ROOT
from tests.support.references import inline
from tools.commands import alone
from tools.python_names import (
    BY_POSITION,
    FIELDS,
    LEFT_OUT,
    MADE,
    METHODS,
    MIXED_IN,
    NUMBER,
    OPEN,
    REQUESTS_HEAD,
    SHAPES,
    SHAPES_HEAD,
    UNTOLD,
    WRAPPED,
)

Json: TypeAlias = dict[str, Any]

CONTRACT = ROOT / "openapi" / "openapi.json"
CLIENT = ROOT / "openapi" / "client"
WIDTH = 112
JSON = "application/json"
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
EMPTY = {"bool": "False", "tuple": "()", "dict": "{}"}
RAW = {"text/markdown": "str", "text/plain": "bytes", "application/x-ndjson": "bytes"}
BLOCKING = Rule(
    "/concurrent/",
    "/blocking/",
    {
        "AsyncBaseTransport": "BaseTransport",
        "AsyncClient": "Client",
        "AsyncConnection": "Connection",
        "AsyncLock": "Lock",
        "AsyncRequests": "Requests",
        "AsyncSocketConnection": "SocketConnection",
        "AsyncWebSocket": "WebSocket",
        "aclose": "close",
        "aclosing": "closing",
        "aiter_sse": "iter_sse",
        "aread": "read",
        "async_dial": "dial",
        "asyncio": "time",
    },
)


class Argument(NamedTuple):
    """An argument of a method: its name, that in the contract, its type, its default (empty: none), and what is sent."""

    name: str
    sent: str
    kind: str
    default: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}{f' = {self.default}' if self.default else ''}"


class Contract:
    """The contract, and which of its shapes the client needs."""

    def __init__(self, document: Json) -> None:
        self._paths: Json = document["paths"]
        self._schemas: Json = document["components"]["schemas"]
        self._needed: dict[str, None] = {}

    def kind(self, schema: Json, listed: str = "tuple[{}, ...]") -> str:
        """Return the type of a value. What a game says is plain, and the values of enumerations are text: they may grow."""
        if "$ref" in schema:
            return self._kind_of_reference(schema["$ref"].rpartition("/")[2], listed)
        if several := schema.get("anyOf"):
            return " | ".join(self.kind(each, listed) for each in several)
        match schema.get("type"):
            case "array":
                return listed.format(self.kind(schema["items"], listed))
            case "object":
                return f"dict[str, {self.kind(schema.get('additionalProperties') or {}, listed)}]"
            case str(simple):
                return SIMPLE[simple]
            case _:
                return "Plain"

    def _kind_of_reference(self, name: str, listed: str) -> str:
        schema: Json = self._schemas[name]
        if "properties" in schema:
            self._needed[name] = None
        elif {"anyOf", "oneOf"} & schema.keys():
            return SHAPES.get(name, "dict[str, Plain]")
        return shape_of(name) if "properties" in schema else self.kind(schema, listed)

    def shapes(self) -> str:
        """Return the module of the shapes that the methods need, and those that these need, in alphabetical order."""
        made: dict[str, str] = {}
        while waiting := self._needed.keys() - made.keys():
            made |= {name: self._shape(name) for name in waiting}
        unlike = {shape_of(name): made[name] for name in sorted(made, key=lambda name: len(self._schemas[name]["properties"]))}
        return SHAPES_HEAD + "\n\n".join(text for _, text in sorted(unlike.items()))

    def _shape(self, name: str) -> str:
        schema: Json = self._schemas[name]
        needed, untold = schema.get("required", ()), UNTOLD.get(name, ())
        told = {field: each for field, each in schema["properties"].items() if field not in untold}
        kinds = {field: self._kind_of_field(each, field in needed) for field, each in told.items()}
        empty = {field: "None" if kind.endswith("| None") else EMPTY.get(kind.partition("[")[0]) for field, kind in kinds.items()}
        if all(empty.values()):  # otherwise any answer at all would be such a shape
            empty = {field: value if value == "None" else None for field, value in empty.items()}
        names = {field: other for field, other in FIELDS.get(name, FIELDS[""]).items() if field in kinds}
        rename = [f"rename={ ({other: field for field, other in names.items()}) }"] if names else []
        head = [*([MIXED_IN[name]] if name in MIXED_IN else []), "msgspec.Struct", "frozen=True", "kw_only=True", *rename]
        lines = [
            f"    {names.get(field, field)}: {kind}{f' = {value}' if (value := empty[field]) else ''}\n"
            for field, kind in kinds.items()
        ]
        return f"class {shape_of(name)}({', '.join(head)}):\n{docstring(schema['description'], 4)}\n{''.join(lines)}"

    def _kind_of_field(self, schema: Json, needed: bool) -> str:
        """Return the type of a field; what a service may leave out, without a default, may be None."""
        kind = self.kind(schema)
        return kind if needed or "default" in schema or kind.endswith("| None") else f"{kind} | None"

    def requests(self) -> str:
        """Return the module of the methods."""
        methods = "\n".join(self._methods())
        return REQUESTS_HEAD.format(", ".join(map(shape_of, self._needed))) + methods

    def _methods(self) -> Iterator[str]:
        for path, methods in self._paths.items():
            for method, operation in methods.items():
                if operation["operationId"] not in LEFT_OUT:
                    yield self._method(f'"{method.upper()}", "{path}"', operation)

    def _method(self, where: str, operation: Json) -> str:
        name, parameters = operation["operationId"], operation.get("parameters", [])
        media, answer = self._answer(operation)
        parts = [self._argument(name, each["name"], each["schema"], True) for each in parameters if each["in"] == "path"]
        query = [self._argument(name, each["name"], each["schema"], False) for each in parameters if each["in"] == "query"]
        if media == "text/event-stream":
            query = []  # it goes on after the last id that was heard
        content = operation.get("requestBody", {}).get("content", {}).get(JSON, {"schema": {"$ref": "Nothing"}})
        body = self._schemas.get(content["schema"]["$ref"].rpartition("/")[2], {"properties": {}})
        told, required = body["properties"], body.get("required", ())
        fields = [] if name in OPEN else [self._argument(name, field, each, field in required) for field, each in told.items()]
        sent = {"parts": parts, "parameters": query, "body": fields}
        call = [answer, f'"{name}"', where, *(f"{key}={_dict(values)}" for key, values in sent.items() if values)]
        call += [f"body={OPEN[name]}"] if name in OPEN else []
        call += ["key=fresh_key()"] if any(each["name"] == "Idempotency-Key" for each in parameters) else []
        call += [f'accept="{media}"'] if media != JSON else []
        text = described(operation)
        if name in OPEN:
            text += f" Fields: {', '.join(f'`{field}`' for field in told)}."
        signature = _signature(name, [each for values in sent.values() for each in values], bool(query))
        return self._defined(name, signature, answer, f"Call({', '.join(call)})", docstring(text, 8))

    def _defined(self, name: str, signature: str, answer: str, call: str, told: str) -> str:
        if name in WRAPPED:
            return f"    def {method_of(name)}({signature}) -> Call[{answer}]:\n{told}        return {call}\n"
        head = f"    async def {method_of(name)}({signature}) -> "
        if answer == "NoneType":
            return f"{head}None:\n{told}        await self._ask({call})\n"
        if answer.endswith("List"):
            items = self.kind(self._schemas[answer]["properties"]["items"])
            return f"{head}{items}:\n{told}        return (await self._ask({call})).items\n"
        return f"{head}{answer}:\n{told}        return await self._ask({call})\n"

    def _argument(self, operation: str, sent: str, schema: Json, required: bool) -> Argument:
        name, kind = FIELDS.get(operation, FIELDS[""]).get(sent, sent), self.kind(schema, "Iterable[{}]")
        value = f"list({name})" if kind.startswith("Iterable") else name
        if required:
            return Argument(name, sent, "int" if schema.get("pattern") == NUMBER else kind, "", value)
        default = schema.get("default")
        kind += " | None" if default is None and not kind.endswith("| None") else ""
        return Argument(name, sent, kind, repr(tuple(default) if isinstance(default, list) else default), value)

    def _answer(self, operation: Json) -> tuple[str, str]:
        """Return the media type that is asked for, another one rather than JSON, and the shape of the answer."""
        success = next(each for code, each in operation["responses"].items() if code.startswith("2"))
        content = success.get("content", {})
        media = next((each for each in content if each != JSON), JSON)
        if not content or media in RAW:
            return media, RAW.get(media, "NoneType")
        schema = content[media]["schema"]
        return media, self.kind(schema.get("contentSchema", schema))


def shape_of(schema: str) -> str:
    """Return the name of the shape of a schema."""
    return SHAPES.get(schema, schema.removesuffix("Facts"))


def method_of(operation: str) -> str:
    """Return the name of the method of an operation, or of what returns its call."""
    words = re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", operation)
    return f"_{words}" if operation in WRAPPED else METHODS.get(operation, re.sub("^(get|list)_", "", words))


def described(operation: Json) -> str:
    """Return the summary and the description of an operation as sentences."""
    return f"{operation['summary']}. {operation.get('description', '')}".strip()


def docstring(text: str, depth: int) -> str:
    """Return a docstring: its first sentence, and below it the rest."""
    first, _, rest = text.replace("null", "None").partition(". ")
    below = f"\n\n{fill(rest, WIDTH)}\n" if rest else ""
    return indent(f'"""{first.removesuffix(".")}.{below}"""\n', " " * depth)


def _signature(operation: str, arguments: list[Argument], queried: bool) -> str:
    needed = [str(each) for each in arguments if not each.default]
    optional = [str(each) for each in arguments if each.default]
    first = BY_POSITION.get(operation, 1 if queried else 0)
    keywords = ["*", *optional[first:]] if optional[first:] else []
    named = [f"**{OPEN[operation]}: Plain"] if operation in OPEN else []
    return ", ".join(["self", *needed, *optional[:first], *keywords, *named])


def _dict(arguments: list[Argument]) -> str:
    pairs = ", ".join(f'"{each.sent}": {each.value}' for each in arguments)
    return f"{{{pairs}}}"


def write(client: Path) -> None:
    """Write what is made into a folder that has what is not."""
    contract = Contract(inline(msgspec.json.decode(CONTRACT.read_bytes())))
    for name, make in (("concurrent/requests.py", contract.requests), ("shapes.py", contract.shapes)):
        (client / name).write_text(make(), encoding="utf-8")
    _format(client / "shapes.py", client / "concurrent")
    sources = sorted((client / "concurrent").glob("*.py"))
    unasync_files(list(map(str, sources)), [BLOCKING])
    for path in (client / "blocking" / each.name for each in sources):
        text = path.read_text(encoding="utf-8")
        path.write_text(text if MADE in text else f"# {MADE}\n{text}", encoding="utf-8")
    _format(client / "blocking")


def _format(*paths: Path) -> None:
    told = ["--quiet", "--config", str(ROOT / "pyproject.toml"), *map(str, paths)]
    subprocess.run([sys.executable, "-m", "ruff", "check", "--fix", "--select", "F401,I", *told], check=True)
    subprocess.run([sys.executable, "-m", "ruff", "format", *told], check=True)


if __name__ == "__main__":
    alone(__doc__)
    write(CLIENT)
