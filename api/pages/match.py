"""Pages about one match: the one that people link to, and the frame for other sites."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from ...domain.match import MatchId
from ..http import static_files
from ..http.cors import read_origins
from .preview import Preview, tags

ANYBODY = ("*",)
ICON = '<link rel="icon"'


def lobby_page(address: str, preview: Preview) -> bytes:
    """Return the client's page, which also says what other sites show of it. *address*: where the service is, for others."""
    return static_files.text(static_files.INDEX).replace(ICON, f"{tags(preview, address, '')}\n{ICON}", 1).encode()


def match_page(match_id: MatchId, address: str, up: str, preview: Preview) -> bytes:
    """Return the client's page for a match, which also says how to embed it, and what other sites show of it.

    *address*: where the service is, for others; *up*: the same as a relative address, which holds behind any proxy.
    """
    asking = f"{address}/api/v1/oembed?url={quote(f'{address}/match/{match_id}', safe='')}"
    link = f'<link rel="alternate" type="application/json+oembed" href="{escape(asking)}" title="Tafelrunde">'
    head = f"{link}\n{tags(preview, address, f'match/{match_id}')}\n{ICON}"
    return static_files.text(static_files.INDEX).replace('="web/', f'="{up}web/').replace(ICON, head, 1).encode()


def frame_page(match_id: MatchId, up: str, hosts: tuple[str, ...], *, spectator: bool) -> bytes:
    """Return the frame. It says itself whether it takes tokens, and from whom: its script does not judge by its address."""
    page = static_files.text(static_files.FRAME).replace('="web/', f'="{up}web/')
    for name, value in (("match", match_id), ("mode", "spectator" if spectator else "seat"), ("hosts", " ".join(hosts))):
        page = page.replace(f"{{{name}}}", escape(value))
    return page.encode()


def hosts_of(origins: str, *, spectator: bool) -> tuple[str, ...]:
    """Return which pages may embed a frame: for a seat only listed ones, as others could trick its player into clicks."""
    return ANYBODY if spectator else read_origins(origins)


def ancestors(hosts: tuple[str, ...]) -> str:
    """Return the same as the value of a policy directive."""
    return "*" if "*" in hosts else " ".join(("'self'", *hosts))
