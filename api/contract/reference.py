"""The contract as a web page: all operations and shapes. No script, and nothing from other hosts."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache

from ...domain.game import AnyGame
from ..features import ALL, problem_kinds
from ..pages.problems import html_page, mark_code, problem_link
from . import openapi
from .schemas import REF, Json

CODE = re.compile(r"<code>([a-z-]+)</code>")


@lru_cache(8)
def api_page(games: tuple[AnyGame, ...], base: str, features: tuple[str, ...] = ALL) -> bytes:
    """Return the page that describes all operations and shapes; `base` is prepended to all addresses of the service."""
    found = openapi.document({game.id: game for game in games}, features)
    intro = f"<h1>Tafelrunde</h1><p>{mark_code(found['info']['description'])}</p>"
    here = html.escape(f"{base}/api/v1")
    machines = f'The same for machines: <a href="{here}/openapi.json">openapi.json</a>. Base address: <code>{here}</code>.'
    machines += f' The socket: <a href="{here}/asyncapi.json">asyncapi.json</a>.'
    links = f'<p>{machines} To try it out: <a href="{html.escape(base)}/web/swagger.html">Swagger UI</a>.</p>'
    return html_page("Tafelrunde: the API", f"{intro}{links}{operations(found, base)}")


def operations(found: Json, base: str) -> str:
    """Return all operations and shapes of a contract as HTML, without the page around it; `base` is prepended to addresses."""
    used = {name for methods in found["paths"].values() for operation in methods.values() for name in operation["tags"]}
    listed = [tag for tag in found["tags"] if tag["name"] in used]
    contents = "".join(f'<a href="#{tag["name"]}">{tag["name"]}</a>' for tag in listed)
    tags = "".join(_tag(tag, found, base) for tag in listed)
    shapes = "".join(_shape(name, schema) for name, schema in found["components"]["schemas"].items())
    return f'<nav>{contents}<a href="#shapes">shapes</a></nav>{tags}<section id="shapes"><h2>Shapes</h2>{shapes}</section>'


def _tag(tag: Json, found: Json, base: str) -> str:
    operations = "".join(
        _operation(method, path, operation, base)
        for path, methods in found["paths"].items()
        for method, operation in methods.items()
        if tag["name"] in operation["tags"]
    )
    return f'<section id="{tag["name"]}"><h2>{tag["name"]}</h2><p>{mark_code(tag["description"])}</p>{operations}</section>'


def _operation(method: str, path: str, operation: Json, base: str) -> str:
    title = f'<h3 id="{operation["operationId"]}"><code>{method.upper()} {html.escape(path)}</code></h3>'
    scope = operation.get("x-scope")
    known = f"Anybody; a token ({scope}) tells who." if {} in operation["security"] else f"With a token ({scope})."
    who = known if operation["security"] else "Anybody."
    rows = "".join(_parameter(each) for each in operation.get("parameters", ()))
    table = f"<table><tr><th>parameter</th><th>in</th><th>meaning</th></tr>{rows}</table>" if rows else ""
    text = f"{operation['summary']}. {operation.get('description', '')}".strip()
    return f"{title}<p>{mark_code(text)} <em>{who}</em></p>{table}{''.join(_contents(operation, base))}"


def _parameter(parameter: Json) -> str:
    name = html.escape(parameter["name"]) + ("" if parameter["required"] else " (optional)")
    return f"<tr><td><code>{name}</code></td><td>{parameter['in']}</td><td>{mark_code(parameter['description'])}</td></tr>"


def _contents(operation: Json, base: str) -> Iterator[str]:
    """Yield body and answers, each with its shape and an example of a real run."""
    if "requestBody" in operation:
        yield f"<p>Body: {_content(operation['requestBody'])}</p>"
    for status, answer in operation["responses"].items():
        yield f"<p><strong>{status}</strong> {_link(mark_code(answer['description']), base)} {_content(answer)}</p>"


def _link(text: str, base: str) -> str:
    """Return a text for HTML in which each type of problem leads to its page."""
    kinds = problem_kinds()
    return CODE.sub(lambda found: problem_link(found[1], base) if found[1] in kinds else found[0], text)


def _content(part: Json) -> str:
    for media, content in part.get("content", {}).items():
        name = content["schema"].get("$ref", "").removeprefix(REF)
        shape = f'<a href="#shape-{name}">{name}</a>' if name else ""
        example = content.get("examples", {}).get("real", {}).get("value")
        shown = f"<details><summary>example</summary><pre>{_json(example)}</pre></details>" if example is not None else ""
        return f"{shape} <code>{media}</code>{shown}"
    return ""


def _shape(name: str, schema: Json) -> str:
    about = mark_code(schema.get("description", ""))
    rest = {key: value for key, value in schema.items() if key != "description"}
    # A link to a target inside opens it.
    inside = f'<pre id="shape-{name}">{_json(rest)}</pre>'
    return f"<details><summary><code>{name}</code> {about}</summary>{inside}</details>"


def _json(value: object) -> str:
    """Return JSON for HTML, its references as links."""
    text = html.escape(openapi.pretty(value), quote=False)
    return re.sub(rf'"{REF}(\w+)"', r'"<a href="#shape-\1">\1</a>"', text)
