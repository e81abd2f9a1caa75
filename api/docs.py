"""Pages for people, made from the contract and the table of problems. No script, nothing from elsewhere."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache

from ..domain.game import AnyGame
from . import openapi
from .components import REF, Json
from .http.response import Header
from .problems import KINDS, PAGES

CODE = re.compile(r"<code>([a-z-]+)</code>")
MEDIA_TYPE = b"text/html; charset=utf-8"
HEADERS: tuple[Header, ...] = (
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"),
    (b"x-content-type-options", b"nosniff"),
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


def _page(title: str, body: str) -> bytes:
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return f"{head}{view}<style>{STYLE}</style></head><body>{body}</body></html>".encode()


def _text(text: str) -> str:
    """Return a text for HTML, with its `code` marked."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


@lru_cache(8)
def api_page(games: tuple[AnyGame, ...], base: str) -> bytes:
    """Return the page that describes all operations and shapes; `base` is what stands before all addresses of the service."""
    found = openapi.document({game.id: game for game in games})
    tags = "".join(_tag(tag, found, base) for tag in found["tags"])
    shapes = "".join(_shape(name, schema) for name, schema in found["components"]["schemas"].items())
    contents = "".join(f'<a href="#{tag["name"]}">{tag["name"]}</a>' for tag in found["tags"])
    intro = f"<h1>Tafelrunde</h1><p>{_text(found['info']['description'])}</p>"
    here = html.escape(f"{base}/api/v1")
    machines = f'The same for machines: <a href="{here}/openapi.json">openapi.json</a>. Base address: <code>{here}</code>.'
    links = f'<p>{machines} To try it out: <a href="{html.escape(base)}/web/swagger.html">Swagger UI</a>.</p>'
    nav = f'<nav>{contents}<a href="#shapes">shapes</a></nav>'
    return _page("Tafelrunde: the API", f'{intro}{links}{nav}{tags}<section id="shapes"><h2>Shapes</h2>{shapes}</section>')


def _tag(tag: Json, found: Json, base: str) -> str:
    operations = "".join(
        _operation(method, path, operation, base)
        for path, methods in found["paths"].items()
        for method, operation in methods.items()
        if tag["name"] in operation["tags"]
    )
    return f'<section id="{tag["name"]}"><h2>{tag["name"]}</h2><p>{_text(tag["description"])}</p>{operations}</section>'


def _operation(method: str, path: str, operation: Json, base: str) -> str:
    title = f'<h3 id="{operation["operationId"]}"><code>{method.upper()} {html.escape(path)}</code></h3>'
    scope = operation.get("x-scope")
    who = ("Anybody.", f"With a token ({scope}).", f"Anybody; a token ({scope}) tells who.")[len(operation["security"])]
    rows = "".join(_parameter(each) for each in operation.get("parameters", ()))
    table = f"<table><tr><th>parameter</th><th>in</th><th>meaning</th></tr>{rows}</table>" if rows else ""
    return f"{title}<p>{_text(operation['description'])} <em>{who}</em></p>{table}{''.join(_contents(operation, base))}"


def _parameter(parameter: Json) -> str:
    name = html.escape(parameter["name"]) + ("" if parameter["required"] else " (optional)")
    return f"<tr><td><code>{name}</code></td><td>{parameter['in']}</td><td>{_text(parameter['description'])}</td></tr>"


def _contents(operation: Json, base: str) -> Iterator[str]:
    """Yield body and answers, each with its shape and an example of a real run."""
    if "requestBody" in operation:
        yield f"<p>Body: {_content(operation['requestBody'])}</p>"
    for status, answer in operation["responses"].items():
        yield f"<p><strong>{status}</strong> {_linked(_text(answer['description']), base)} {_content(answer)}</p>"


def _linked(text: str, base: str) -> str:
    """Return a text for HTML in which each type of problem leads to its page."""
    return CODE.sub(lambda found: _problem_link(found[1], base) if found[1] in KINDS else found[0], text)


def _problem_link(name: str, base: str) -> str:
    return f'<a href="{html.escape(base)}{PAGES}{name}"><code>{name}</code></a>'


def _content(part: Json) -> str:
    for media, content in part.get("content", {}).items():
        name = content["schema"].get("$ref", "").removeprefix(REF)
        shape = f'<a href="#shape-{name}">{name}</a>' if name else ""
        example = content.get("examples", {}).get("real", {}).get("value")
        shown = f"<details><summary>example</summary><pre>{_json(example)}</pre></details>" if example is not None else ""
        return f"{shape} <code>{media}</code>{shown}"
    return ""


def _shape(name: str, schema: Json) -> str:
    about = _text(schema.get("description", ""))
    rest = {key: value for key, value in schema.items() if key != "description"}
    # A link to what is inside opens it.
    inside = f'<pre id="shape-{name}">{_json(rest)}</pre>'
    return f"<details><summary><code>{name}</code> {about}</summary>{inside}</details>"


def _json(value: object) -> str:
    """Return JSON for HTML, its references as links."""
    text = html.escape(openapi.pretty(value), quote=False)
    return re.sub(rf'"{REF}(\w+)"', r'"<a href="#shape-\1">\1</a>"', text)


def problem_page(name: str, base: str) -> bytes | None:
    """Return the page of a type of problem; None if there is none of that name."""
    if name not in KINDS:
        return None
    kind = KINDS[name]
    body = f"<h1>{name}</h1><p>Status {kind.status}.</p><p>{_text(kind.en)}</p><p lang=de>{_text(kind.de)}</p>"
    return _page(name, f'{body}<p>{_text(kind.advice)}</p><p><a href="{html.escape(base)}{PAGES}">All problems</a></p>')


def problems_page(base: str) -> bytes:
    """Return the page that lists all types of problems."""
    rows = "".join(
        f"<tr><td>{_problem_link(name, base)}</td><td>{kind.status}</td><td>{_text(kind.en)} {_text(kind.advice)}</td></tr>"
        for name, kind in KINDS.items()
    )
    return _page("Problems", f"<h1>Problems</h1><table><tr><th>type</th><th>status</th><th>meaning</th></tr>{rows}</table>")
