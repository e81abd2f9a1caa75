"""Pages about the types of problems. No script, and nothing from other hosts."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from ..http.response import Header
from ..problem_types import Kind
from ..problems import PAGES

MEDIA_TYPE = b"text/html; charset=utf-8"
HEADERS: tuple[Header, ...] = (
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"public, max-age=60"),
)
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace; }
pre { overflow: auto; max-height: 24rem; padding: 0.75rem; border: 1px solid #8886; border-radius: 0.4rem; }
h3 code { font-size: 1rem; font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid #8884; padding: 0.3rem 0.6rem 0.3rem 0; text-align: left; vertical-align: top; }
section { border-top: 1px solid #8886; margin-top: 1.5rem; }
details pre { scroll-margin-top: 6rem; }
summary { cursor: pointer; }
nav a { margin-right: 0.75rem; }
"""


LOST = (
    "<h1>Nothing is here</h1><p>No page has this address. Is it complete?</p>"
    "<p lang=de>Unter dieser Adresse gibt es keine Seite. Ist sie vollständig?</p>"
)


def wants_page(accepted: str) -> bool:
    """Return whether an Accept header is one of a browser that shows a page to someone, rather than of a program."""
    return "text/html" in accepted


def lost_page(up: str) -> bytes:
    """Return the page at an address that has none. *up*: the relative address of the lobby."""
    return html_page("Tafelrunde", f'{LOST}<p><a href="{html.escape(up or "./")}">Tafelrunde</a></p>')


def html_page(title: str, body: str) -> bytes:
    """Return a page for people with a title."""
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return f"{head}{view}<style>{STYLE}</style></head><body>{body}</body></html>".encode()


def mark_code(text: str) -> str:
    """Return a text for HTML, with its `code` marked."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def problem_link(name: str, base: str) -> str:
    """Return the link to the page of a type of problem."""
    return f'<a href="{html.escape(base)}{PAGES}{name}"><code>{name}</code></a>'


def problem_page(name: str, kind: Kind, base: str) -> bytes:
    """Return the page of a type of problem."""
    body = f"<h1>{name}</h1><p>Status {kind.status}.</p><p>{mark_code(kind.en)}</p><p lang=de>{mark_code(kind.de)}</p>"
    return html_page(name, f'{body}<p>{mark_code(kind.advice)}</p><p><a href="{html.escape(base)}{PAGES}">All problems</a></p>')


def problems_page(kinds: Mapping[str, Kind], base: str) -> bytes:
    """Return the page that lists types of problems."""
    rows = "".join(
        f"<tr><td>{problem_link(name, base)}</td><td>{kind.status}</td>"
        f"<td>{mark_code(kind.en)} {mark_code(kind.advice)}</td></tr>"
        for name, kind in kinds.items()
    )
    return html_page("Problems", f"<h1>Problems</h1><table><tr><th>type</th><th>status</th><th>meaning</th></tr>{rows}</table>")
