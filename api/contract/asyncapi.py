"""The contract of the socket: an AsyncAPI 3 document made from its frames, with the components of the OpenAPI one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import msgspec

from ...domain.game import AnyGame, GameId
from ...domain.registry import GAMES
from ..features import ALL, frames_of
from ..http.operation import Access, AnyOperation
from ..routes.play import get_view, give_command
from ..socket import frames
from ..socket.operations import SUBSCRIBE, open_socket
from .about import INFO, TIMES
from .extensible import open_up
from .frame_examples import frame_examples
from .openapi import BEARER, PREFIX, components_of, pretty
from .schemas import Json, camel, reachable, ref, tag_of

ABOUT = (
    "One connection follows any number of matches, sends commands, asks for views, and hears talk and the inbox. All else is "
    "asked over HTTP, by the OpenAPI contract, whose shapes the bodies in these frames have. A connection that is lost loses "
    "nothing: subscribe again with the last cursor, and send a command that had no answer once more with the same key. "
    f"{TIMES}"
)
TAGS = {"ask": "What clients send, and what answers it.", "hear": "What the service sends by itself."}
CHANNEL: Json = {"$ref": "#/channels/socket"}
HOST = "localhost:8000"
NAMED = {"$ref": "#/components/correlationIds/id"}
ANSWERS: Mapping[type[frames.Asked], tuple[type[frames.Frame], ...]] = {
    frames.HelloFrame: (frames.WelcomeFrame, frames.ProblemFrame),
    frames.SubscribeFrame: (frames.SubscribedFrame, frames.ProblemFrame),
    frames.UnsubscribeFrame: (frames.UnsubscribedFrame, frames.ProblemFrame),
    frames.CommandFrame: (frames.ReceiptFrame, frames.AcceptedFrame, frames.ProblemFrame),
    frames.ViewRequestFrame: (frames.ViewFrame, frames.ProblemFrame),
}
"""What can answer each frame of a client."""
UNASKED = (
    frames.WelcomeFrame,
    frames.ItemsFrame,
    frames.ResetFrame,
    frames.EndFrame,
    frames.ByeFrame,
    frames.ProblemFrame,
)
"""What the service sends by itself."""
AS: Mapping[type[frames.Asked], AnyOperation] = {
    frames.HelloFrame: open_socket,
    frames.SubscribeFrame: SUBSCRIBE,
    frames.CommandFrame: give_command,
    frames.ViewRequestFrame: get_view,
}
"""The operation whose scope and limits a frame has."""


def contract(games: Mapping[GameId, AnyGame] = GAMES) -> bytes:
    """Return the document with all features, the same bytes for the same code."""
    return pretty(document(games)).encode()


@lru_cache(32)
def served(games: tuple[AnyGame, ...], base: str, *, features: tuple[str, ...] = ALL, growing: bool = False) -> bytes:
    """Return the document of a running service; *base* is prepended to the path, *growing* opens what may grow."""
    found = document({game.id: game for game in games}, features, base)
    return msgspec.json.encode(open_up(found) if growing else found)


def asked_with(features: Sequence[str] = ALL) -> tuple[type[msgspec.Struct], ...]:
    """Return all frames of a client, those that some features add last."""
    return (*frames.ASKED, *frames_of(features))


def sent_with(features: Sequence[str] = ALL) -> tuple[type[msgspec.Struct], ...]:
    """Return all frames of the service, those that some features add last."""
    more = (kind for each in frames_of(features).values() for kind in (*each.answers, *each.unasked))
    return (*frames.SENT, *more)


def answers_with(features: Sequence[str] = ALL) -> Mapping[type[msgspec.Struct], tuple[type[msgspec.Struct], ...]]:
    """Return what can answer each frame of a client."""
    return {**ANSWERS, **{kind: (*each.answers, frames.ProblemFrame) for kind, each in frames_of(features).items()}}


def unasked_with(features: Sequence[str] = ALL) -> tuple[type[msgspec.Struct], ...]:
    """Return what the service sends by itself."""
    return (*UNASKED, *(kind for each in frames_of(features).values() for kind in each.unasked))


def document(games: Mapping[GameId, AnyGame], features: Sequence[str] = ALL, base: str = "") -> Json:
    """Return the document of the core and some features as plain data."""
    asked = asked_with(features)
    sent = sent_with(features)
    components = components_of(games, features, (*asked, *sent))
    components.add_union("ClientFrame", asked, "A frame that a client sends.", growing=False)
    components.add_union("ServiceFrame", sent, "A frame that the service sends.")
    examples = frame_examples(frames_of(features))
    messages = {_name(kind): _message(kind, examples) for kind in (*asked, *sent)}
    channel = _channel(messages)
    schemas = {name: _plain(schema) for name, schema in components.schemas.items()}
    return {
        "asyncapi": "3.0.0",
        "info": _info(),
        "defaultContentType": "application/json",
        "servers": {"service": _server(base)},
        "channels": {"socket": channel},
        "operations": dict(_operations(features)),
        "components": {
            "messages": messages,
            "schemas": reachable({"messages": messages, "channel": channel}, schemas),
            "correlationIds": {"id": {"location": "$message.payload#/id", "description": "An answer has the `id` of its frame."}},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": BEARER}},
        },
    }


def _info() -> Json:
    about = {"title": f"{INFO['title']}: the socket", "version": INFO["version"], "description": ABOUT}
    license_ = {"name": INFO["license"]["name"], "url": "https://spdx.org/licenses/MIT.html"}
    tags = [{"name": name, "description": text} for name, text in TAGS.items()]
    return {**about, "contact": INFO["contact"], "license": license_, "tags": tags}


def _server(base: str) -> Json:
    """Return where the socket is: at the public address of the service, or at whatever address it is asked."""
    found = urlsplit(base)
    secure = found.scheme == "https"
    server: Json = {
        "host": found.netloc or "{host}",
        "protocol": "wss" if secure else "ws",
        "pathname": f"{found.path.rstrip('/')}{PREFIX}",
        "description": "The service. Browsers send their token in `hello`; without one a client can only watch.",
        "security": [{"$ref": "#/components/securitySchemes/bearer"}],
    }
    if not found.netloc:
        server["variables"] = {"host": {"description": "Host and port of the service.", "default": HOST}}
    return server


def _channel(messages: Json) -> Json:
    protocol = {"type": "string", "const": frames.PROTOCOL, "description": "The subprotocol, which has to be offered."}
    return {
        "address": frames.PATH,
        "title": "The socket",
        "description": "Frames are JSON texts, one message each. Binary frames end the connection.",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "bindings": {
            "ws": {
                "method": "GET",
                "headers": {
                    "type": "object",
                    "properties": {"Sec-WebSocket-Protocol": protocol},
                    "required": ["Sec-WebSocket-Protocol"],
                },
                "bindingVersion": "0.1.0",
            }
        },
        "x-frames": {"client": ref("ClientFrame"), "service": ref("ServiceFrame")},
        "x-close-codes": {str(code): text for code, text in frames.CLOSES.items()},
    }


def _operations(features: Sequence[str]) -> Iterator[tuple[str, Json]]:
    """Yield what a client may send with its answers, and then what the service sends by itself."""
    same_as = {**AS, **{kind: each.operation for kind, each in frames_of(features).items()}}
    for kind, answers in answers_with(features).items():
        operation = {**_operation("receive", kind, "ask"), "reply": {"channel": CHANNEL, "messages": _sent(answers)}}
        if (same := same_as.get(kind)) is not None:
            operation |= {"x-scope": same.about.scope.value, "x-anybody": same.about.access is not Access.OWNED}
            operation |= {"x-operation": same.name} if same is not open_socket else {}
        yield f"ask{camel(_name(kind))}", operation
    for kind in unasked_with(features):
        yield f"hear{camel(_name(kind))}", _operation("send", kind, "hear")


def _operation(action: str, kind: type[msgspec.Struct], tag: str) -> Json:
    about = _about(kind)
    title = about.partition(". ")[0].rstrip(".")
    operation = {"action": action, "channel": CHANNEL, "title": _name(kind), "summary": title, "description": about}
    return {**operation, "tags": [{"name": tag}], "messages": _sent([kind])}


def _sent(kinds: Sequence[type[msgspec.Struct]]) -> list[Json]:
    return [{"$ref": f"#/channels/socket/messages/{_name(kind)}"} for kind in kinds]


def _message(kind: type[msgspec.Struct], examples: Mapping[type[msgspec.Struct], Json]) -> Json:
    about = _about(kind)
    message: Json = {
        "name": tag_of(kind),
        "title": kind.__name__,
        "summary": about.partition(". ")[0].rstrip("."),
        "description": about,
        "payload": ref(kind.__name__),
        "examples": [{"payload": examples[kind]}],
    }
    return {**message, "correlationId": NAMED} if "id" in kind.__struct_fields__ else message


def _name(kind: type[msgspec.Struct]) -> str:
    """Return `viewRequest` for a `ViewRequestFrame`: two frames, one of each side, may have the same type."""
    name = kind.__name__.removesuffix("Frame")
    return name[0].lower() + name[1:]


def _about(kind: type[msgspec.Struct]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _plain(schema: Json) -> Json:
    """Return a schema without the discriminator of OpenAPI: AsyncAPI has another one. Members have their `type` as a constant."""
    return {key: value for key, value in schema.items() if key != "discriminator"}
