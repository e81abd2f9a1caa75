"""The contract: an OpenAPI 3.1 document made from the operations, their types, and examples taken from real runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from ...domain.game import AnyGame, GameId
from ...domain.registry import GAMES
from ..features import ALL, api_of, operations, problem_kinds
from ..http.deprecation import DEPRECATION, SUNSET
from ..http.operation import Access, Answer, AnyOperation, Key
from ..http.rate_limits import Cost
from ..http.response import REPLAYED
from ..problem_types import Kind
from ..problems import Problem
from ..schema import fields
from ..schema.common import Nothing
from ..schema.fields import END
from .about import INFO, TAGS
from .examples import CREATED, examples_of_shapes, read_examples
from .extensible import open_up
from .links import LINKS
from .messages import messages_of
from .schemas import Components, Json, reachable, ref
from .sharing import share

PREFIX = "/api/v1"
BEARER = "A token from `POST /players`. `security` of an operation, and `x-scope`, name the scope that it requires."
PROBLEM_TYPE = "application/problem+json"
STREAM_TYPE = "text/event-stream"
PATHS = {
    "game": (fields.GAME_ID, "The id of a game."),
    "match": (fields.MATCH_ID, "The id of a match."),
    "deal": (fields.NUMBER, "Number of a deal, from 1."),
    "index": (fields.NUMBER, "Index of a leaf, from 0."),
    "day": (fields.DAY, "A day of UTC, for instance `2026-11-23`."),
    "player": (fields.PLAYER_ID, "The id of a player."),
    "token": (fields.TOKEN_ID, "The id of a token."),
}
FORM = "application/x-www-form-urlencoded"
SEAT: Json = {"type": "integer", "minimum": 0, "maximum": 99}
ALWAYS_SENT = {
    "RateLimit": "Remaining budget: its name, the requests left (`r`), and the seconds until it is full again (`t`).",
    "RateLimit-Policy": "The budget: its name, and `q` requests per `w` seconds.",
}
HEADERS = {
    DEPRECATION: "Since when the operation is deprecated, as `@` and Unix seconds.",
    SUNSET: "When the operation ends, as a date of HTTP.",
    "Location": "URL of the new resource.",
    "ETag": "Identifies this state; send it as If-None-Match.",
    "Retry-After": "Seconds to wait before retrying.",
    REPLAYED: "`true` if this is the stored response to an earlier request with the same key.",
    **ALWAYS_SENT,
}
KEY = "A random value, new for every request. Send the same value when you retry that request."
HEADER_KEY = '^([A-Za-z0-9._:-]{1,64}|"[A-Za-z0-9._:-]{1,64}")$'
KEY_TEXTS = {
    Key.OPTIONAL: KEY,
    Key.REQUIRED: KEY,
    Key.KEPT: f"{KEY} The answer is kept for a day, for that token. Without a token, only keys of 22 or more characters count.",
}


def contract(games: Mapping[GameId, AnyGame] = GAMES, *, growing: bool = False) -> bytes:
    """Return the contract with all features, the same bytes for the same code; *growing* opens what may grow."""
    found = document(games)
    return pretty(share(open_up(found) if growing else found)).encode()


def pretty(value: object) -> str:
    """Return a value as JSON for people."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


@lru_cache(32)
def contract_bytes(
    games: tuple[AnyGame, ...],
    base: str,
    *,
    features: tuple[str, ...] = ALL,
    growing: bool = False,
) -> bytes:
    """Return the contract of a running service; *base* is prepended to its paths, *growing* opens what may grow."""
    found = document({game.id: game for game in games}, features, base)
    found = open_up(found) if growing else found
    return msgspec.json.encode({**share(found), "servers": [{"url": f"{base}{PREFIX}"}]})


def document(games: Mapping[GameId, AnyGame], features: Sequence[str] = ALL, base: str = "") -> Json:
    """Return the contract of the core and some features as plain data; *base* is prepended to addresses of other pages.

    Every operation is complete in itself: only shapes are components. `share` writes the rest once as well.
    """
    offered = operations(features)
    added = [api_of(each) for each in features]
    components = components_of(games, features)
    examples = read_examples()
    examples["shapes"] = examples_of_shapes(offered, components, examples)
    paths: defaultdict[str, Json] = defaultdict(dict)
    links = _links(offered, features)
    kinds = problem_kinds(features)
    known = {**PATHS, **{name: parameter for each in added for name, parameter in each.parameters.items()}}
    schemes = {name: scheme for each in features for name, scheme in api_of(each).schemes(base).items()}
    for operation in offered:
        described = _Description(operation, components, examples, links, kinds, known, tuple(schemes))
        paths[operation.path][operation.method.lower()] = described.operation()
    parameter: Json = examples.get("webhooks", {})
    webhooks = {tag: made for each in components.sent for tag, made in messages_of(each, components, parameter).items()}
    _name_games(paths, list(games))
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": PREFIX}],
        "tags": [{"name": name, "description": text} for name, text in _tags(features).items()],
        "paths": dict(paths),
        **({"webhooks": webhooks} if webhooks else {}),
        "components": {
            "schemas": reachable({**paths, **webhooks}, components.schemas),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": BEARER}, **schemes},
        },
        "x-messages": components.messages,
    }


def components_of(games: Mapping[GameId, AnyGame], features: Sequence[str], more: Sequence[type] = ()) -> Components:
    """Return the shapes of the core and some features, and those of *more* types."""
    sent = [found for each in features if (found := api_of(each).messages) is not None]
    notices = [kind for each in features for kind in api_of(each).notices]
    components = Components(games, (*_types(operations(features)), *more), sent, notices)
    components.schemas["MatchRequest"]["properties"]["game"] = {"type": "string", "enum": list(games)}
    return components


def _tags(features: Sequence[str]) -> Mapping[str, str]:
    return {**TAGS, **{name: text for each in features for name, text in api_of(each).tags.items()}}


def _links(offered: Sequence[AnyOperation], features: Sequence[str]) -> Mapping[tuple[str, int], Json]:
    """Return all links that lead to an operation that is there, by operation and status."""
    there = {operation.name for operation in offered}
    merged: defaultdict[tuple[str, int], Json] = defaultdict(dict)
    for links in (LINKS, *(api_of(each).links for each in features)):
        for answer, found in links.items():
            merged[answer] |= {name: link for name, link in found.items() if link["operationId"] in there}
    return {answer: found for answer, found in merged.items() if found}


def _types(offered: Sequence[AnyOperation]) -> Iterator[type]:
    """Yield the types of all bodies and parameters."""
    yield Problem
    for operation in offered:
        yield operation.about.body
        yield operation.about.query
        if operation.about.foreign is not None:
            yield operation.about.foreign.shape
        for answer in operation.about.answers:
            if isinstance(answer.body, type) and issubclass(answer.body, msgspec.Struct):
                yield answer.body


def _name_games(paths: Mapping[str, Json], games: list[GameId]) -> None:
    """Say which games there are, wherever a path names one."""
    for path, methods in paths.items():
        for operation in methods.values() if "{game}" in path else ():
            operation["parameters"][0]["schema"] = {"type": "string", "enum": list(games)}


class _Description:
    """One operation, as the contract describes it."""

    def __init__(
        self,
        operation: AnyOperation,
        components: Components,
        examples: Json,
        links: Mapping[tuple[str, int], Json],
        kinds: Mapping[str, Kind],
        parameters: Mapping[str, tuple[str, str]],
        lending: tuple[str, ...],
    ) -> None:
        self._operation = operation
        self._links = links
        self._kinds = kinds
        self._parameters = parameters
        self._lending = lending
        self._about = operation.about
        self._components = components
        self._examples: Json = examples.get(operation.name, {})
        self._shapes: Json = examples["shapes"]
        self._problems_met: Json = examples.get("problems", {})

    def operation(self) -> Json:
        """Return the operation."""
        summary, _, rest = self._operation.text.partition(". ")
        entry: Json = {"operationId": self._operation.name, "summary": summary.rstrip("."), "tags": [self._about.tag]}
        deprecated = self._about.deprecated
        if description := f"{rest} {deprecated.text if deprecated else ''}".strip():
            entry["description"] = description
        if deprecated is not None:
            entry["deprecated"] = True
        if parameters := [*self._in_path(), *self._in_query(), *self._in_headers()]:
            entry["parameters"] = parameters
        if self._about.body is not Nothing:
            entry["requestBody"] = self._body()
        entry["responses"] = {**self._answers(), **self._problems()}
        entry["security"] = self._security()
        if entry["security"]:
            entry["x-scope"] = self._about.scope.value
        return entry

    def _security(self) -> list[Json]:
        """Return the ways to show a token, each with the scope that it needs; those of others' applications for what is lent."""
        about = self._about
        if about.access is Access.PUBLIC:
            return []
        ways = ["bearer", *(self._lending if about.lent else ())]
        return [*({name: [about.scope.value]} for name in ways), *([{}] if about.access is Access.ANYBODY else [])]

    def _in_path(self) -> Iterator[Json]:
        for name in self._operation.parameters:
            pattern, description = self._parameters.get(name, ("", "Seat number, from 0."))
            schema = {"type": "string", "pattern": pattern.replace(END, "$")} if pattern else SEAT
            yield {"name": name, "in": "path", "required": True, "description": description, "schema": schema}

    def _in_query(self) -> Iterator[Json]:
        if self._about.query is Nothing:
            return
        query: Json = self._components.schemas[self._components.names[self._about.query]]
        for name, schema in query["properties"].items():
            plain = _without_null(schema)
            description = plain.pop("description", name)
            yield {
                "name": name,
                "in": "query",
                "required": name in query.get("required", ()),
                "description": description,
                **({"deprecated": True} if plain.pop("deprecated", False) else {}),
                "schema": plain,
            }

    def _in_headers(self) -> Iterator[Json]:
        if self._about.key is not Key.NONE:
            yield {
                "name": "Idempotency-Key",
                "in": "header",
                "required": self._about.key is Key.REQUIRED,
                "description": KEY_TEXTS[self._about.key],
                "schema": {"type": "string", "pattern": HEADER_KEY},
            }
        if any(each.status == 304 for each in self._about.answers):
            yield _header("If-None-Match", "ETag of the client's cached copy.", {"type": "string"})
        if any(each.media == STREAM_TYPE for each in self._about.answers):
            schema = {"type": "string", "pattern": fields.CURSOR.replace(END, "$")}
            yield _header("Last-Event-ID", "Id of the last item the client has.", schema)

    def _body(self) -> Json:
        content: Json = {"schema": ref(self._components.names[self._about.body])}
        if "request" in self._examples:
            content["examples"] = {"real": {"value": self._examples["request"]}}
        media = FORM if self._about.foreign is not None and self._about.foreign.form else "application/json"
        return {"required": self._about.body_needed, "content": {media: content}}

    def _answers(self) -> Json:
        """Return the successful answers; two of the same status differ in their media types."""
        answers: Json = {}
        for answer in self._about.answers:
            known = answers.setdefault(str(answer.status), self._answer(answer))
            if "content" in known:
                known["content"].update(self._answer(answer)["content"])
        return answers

    def _answer(self, answer: Answer) -> Json:
        entry: Json = {"description": answer.what}
        if headers := {
            **{name: _describe(HEADERS[name]) for name in (*answer.headers, *self._repetition_headers(answer))},
            **self._limits(answer.status),
            **self._ending(),
        }:
            entry["headers"] = headers
        if answer.body is not None:
            shape = self._shape(answer.body)
            content: Json = {"schema": _events(shape) if answer.media == STREAM_TYPE else shape}
            if answer.status in CREATED and (example := self._example(answer)) is not None:
                content["examples"] = {"real": example}
            entry["content"] = {answer.media: content}
        if (links := self._links.get((self._operation.name, answer.status))) is not None:
            entry["links"] = links
        return entry

    def _example(self, answer: Answer) -> Json | None:
        """Return the example of an answer: the one of its shape, or its own text, with a summary if it is not the whole text."""
        summary: Json = {"summary": self._examples["part"]} if "part" in self._examples else {}
        if answer.media != "application/json":
            return {**summary, "value": self._examples["text"]} if "text" in self._examples else None
        shape = self._components.name_of(answer.body)
        value: object = self._examples.get("response") if shape is None else self._shapes.get(shape)
        return {"value": value} if value is not None else None

    def _repetition_headers(self, answer: Answer) -> tuple[str, ...]:
        """Return the header of repetitions, where replies are kept and the operation does not name it itself."""
        return (REPLAYED,) if self._about.key is Key.KEPT and REPLAYED not in answer.headers else ()

    def _shape(self, body: object) -> Json:
        if (name := self._components.name_of(body)) is not None:
            return ref(name)
        return {"type": "object"} if body is dict else {"type": "string"}

    def _problems(self) -> Json:
        by_status: defaultdict[int, list[str]] = defaultdict(list)
        for name in self._problem_names():
            by_status[self._kinds[name].status].append(name)
        return {str(status): self._problem(status, names) for status, names in sorted(by_status.items())}

    def _problem(self, status: int, names: list[str]) -> Json:
        entry: Json = {"description": " ".join(f"`{name}`: {self._kinds[name].en}" for name in names)}
        if headers := {**self._limits(status), **self._ending()}:
            entry["headers"] = headers
        content: Json = {"schema": ref("Problem")}
        own: Json = {}
        if self._about.foreign is not None and status == 400:
            own = {"application/json": {"schema": ref(self._components.names[self._about.foreign.shape])}}
            if "refused" in self._examples:
                own["application/json"]["examples"] = {"real": {"value": self._examples["refused"]}}
        if known := {name: {"value": self._problems_met[name]} for name in names if name in self._problems_met}:
            content["examples"] = known
        return {**entry, "content": {**own, PROBLEM_TYPE: content}}

    def _ending(self) -> Json:
        """Return the headers of an operation that is deprecated."""
        return {name: _describe(HEADERS[name]) for name in self._about.deprecated.names} if self._about.deprecated else {}

    def _limits(self, status: int) -> Json:
        """Return the rate limit headers; problems have them if they can be limited or retried."""
        reported = {Cost.NOTHING: (), Cost.PROOF: (429,)}.get(self._about.cost, (*range(400), 429))
        names = [*ALWAYS_SENT] if status in reported else []
        names += ["Retry-After"] if status in {429, 503} else []
        return {name: _describe(HEADERS[name]) for name in names}

    def _problem_names(self) -> dict[str, None]:
        """Return the problems that follow from what the operation takes, and those that it names itself."""
        about = self._about
        names = ["invalid-request"]
        if about.access is not Access.PUBLIC:
            names += ["unauthenticated", "scope-missing"]
        if self._operation.parameters:
            names.append("not-found")
        if about.key is Key.REQUIRED:
            names.append("idempotency-key-missing")
        if about.key is Key.KEPT:
            names.append("key-reused")
        if about.body is not Nothing:
            names += ["too-large", "unsupported-media-type"]
        if about.cost is not Cost.NOTHING:
            names.append("too-many-requests")
        return dict.fromkeys([*names, *about.problems, "headers-too-large", "internal", "unavailable"])


def _header(name: str, description: str, schema: Json) -> Json:
    return {"name": name, "in": "header", "required": False, "description": description, "schema": schema}


def _describe(text: str) -> Json:
    return {"description": text, "schema": {"type": "string"}}


def _without_null(schema: Json) -> Json:
    """Return the schema of a parameter: what may be left out is not null."""
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if not options:
        return dict(schema)
    plain: Json = dict(options[0]) if len(options) == 1 else {"anyOf": options}
    return {**plain, **{key: value for key, value in schema.items() if key not in {"anyOf", "default"}}}


def _events(shape: Json) -> Json:
    """Return the schema of a stream: its body is text, and the data of each event has this shape."""
    about = "Server-sent events. Each has the item's cursor as its id and the item, in JSON, as its data."
    return {"type": "string", "description": about, "contentMediaType": STREAM_TYPE, "contentSchema": shape}
