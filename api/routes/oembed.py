"""Embedding by address: what other sites ask when a user posts a link to a match (https://oembed.com)."""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from ...domain.match import MatchId
from ...service.errors import Forbidden
from ..http import response
from ..http.operation import Access, Answer, AnyCall, Call, operation
from ..http.response import Reply
from ..problems import Refused
from ..schema import fields
from ..schema.common import Nothing, Request

TAG = "embedding"
WIDTH, HEIGHT = 800, 640
KEPT_SECONDS = 300

Size = Annotated[int, Meta(ge=1, le=100_000)]


class OembedQuery(Request, frozen=True, forbid_unknown_fields=False):
    """What to embed, and how large it may be. Sites send parameters of their own with it, which mean nothing here."""

    url: Annotated[str, Meta(min_length=1, max_length=1_000, description="URL of a match's page or of its frame.")]
    maxwidth: Annotated[Size, Meta(description="Maximum width of the frame in pixels.")] = WIDTH
    maxheight: Annotated[Size, Meta(description="Maximum height of the frame in pixels.")] = HEIGHT
    format: Annotated[str, Meta(max_length=20, description="Only `json` is supported.")] = "json"


class Oembed(msgspec.Struct, frozen=True, kw_only=True):
    """How to embed a match: `html` is a frame for spectators. Field names follow oEmbed 1.0."""

    type: Literal["rich"] = "rich"
    version: Literal["1.0"] = "1.0"
    title: str
    provider_name: str
    provider_url: str
    cache_age: int
    html: str
    width: Size
    height: Size


class MatchAddress(NamedTuple):
    """A match, and the address of the service as the caller knows it."""

    address: str
    match: MatchId


@operation(
    "GET",
    "/oembed",
    "getOembed",
    tag=TAG,
    access=Access.PUBLIC,
    query=OembedQuery,
    problems=("not-found", "unauthenticated", "format-unknown"),
    answers=(Answer(200, Oembed, "How to embed the match."),),
)
async def get_oembed(call: Call[Nothing, OembedQuery]) -> Reply:
    """Get the embed code for a match URL (oEmbed 1.0).

    URLs of other sites, and matches that are not public, are 404. A listed match that does not allow spectators is 401.
    """
    query = call.query
    if query.format != "json":
        raise Refused("format-unknown", field="format")
    place = _place(call, query.url)
    try:
        viewer = await call.application.queries.viewer(None, place.match)
    except Forbidden:
        raise Refused("unauthenticated", detail="spectators are not allowed in this match") from None
    seen = await call.application.queries.view(viewer, place.match, None)
    name = call.running.games[seen.game].messages[seen.game].en
    return response.json(_embed(place, name, query), (b"cache-control", b"public, max-age=%d" % KEPT_SECONDS))


def _place(call: AnyCall, url: str) -> MatchAddress:
    """Return what an address of this service refers to; raise Refused. http and https count as the same."""
    own = re.escape(call.address.partition("://")[2])
    found = re.fullmatch(rf"(https?://{own})/(?:(?:#/)?match|embed)/([a-z0-9]+)/?(?:\?spectator=true)?", url)
    if found is None or re.search(fields.MATCH_ID, found[2]) is None:
        raise Refused("not-found", field="url")
    return MatchAddress(found[1], MatchId(found[2]))


def _embed(place: MatchAddress, game: str, query: OembedQuery) -> Oembed:
    width, height = min(WIDTH, query.maxwidth), min(HEIGHT, query.maxheight)
    title = f"{game} – Tafelrunde"
    return Oembed(
        title=title,
        provider_name="Tafelrunde",
        provider_url=f"{place.address}/",
        cache_age=KEPT_SECONDS,
        html=(
            f'<iframe src="{escape(place.address)}/embed/{place.match}?spectator=true" width="{width}" height="{height}" '
            f'title="{escape(title)}" style="border: 0; max-width: 100%" loading="lazy" referrerpolicy="no-referrer"></iframe>'
        ),
        width=width,
        height=height,
    )


OPERATIONS = (get_oembed,)
