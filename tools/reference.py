"""The reference pages that are made from the code: the command line, the Python client, and the HTTP API."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from tafelrunde.api.contract import openapi
from tafelrunde.api.contract.reference import operations
from tafelrunde.api.problems import PAGES
from tafelrunde.client import Client, shapes
from tafelrunde.domain.registry import GAMES
from tafelrunde.workers.cli import app

ANNOTATION = re.compile(r"(: |-> )'([^']*)'")
PROGRAM = "tafelrunde"
PROBLEM = re.compile(rf'href="{PAGES}([a-z-]+)"')


def command_line() -> str:
    """Return the page of the command line: a section for every command, in alphabetical order."""
    intro = "Every command of `tafelrunde`, made from its help. [Settings](../operating.md#settings) come from the environment."
    commands = sorted(all_commands(), key=lambda each: each[0])
    return f"# The command line\n\n{intro}\n\n" + "".join(_section(name, command) for name, command in commands)


def all_commands() -> Iterator[tuple[str, TyperCommand]]:
    """Yield every command of the command line with its whole name."""
    yield from _inside(get_command(app), PROGRAM)


def _inside(command: object, name: str) -> Iterator[tuple[str, TyperCommand]]:
    if isinstance(command, TyperGroup):
        for each, inside in command.commands.items():
            yield from _inside(inside, f"{name} {each}")
    elif isinstance(command, TyperCommand):
        yield name, command


def _section(name: str, command: TyperCommand) -> str:
    shown = [each for each in command.params if isinstance(each, (TyperArgument, TyperOption)) and not each.hidden]
    given = [f"<{each.name}>" for each in shown if isinstance(each, TyperArgument)]
    rows = [(_option(each), _about(each)) for each in shown]
    table = "".join(f"| {option} | {about} |\n" for option, about in rows)
    lines = inspect.cleandoc(command.help or "").replace("\n\n", "\0").replace("\n", " ").replace("\0", "\n\n")
    head = f"## {name}\n\n```text\n{' '.join([name, *given])}\n```\n\n{lines}\n\n"
    return f"{head}| | |\n|---|---|\n{table}\n" if rows else head


def _option(each: TyperArgument | TyperOption) -> str:
    return (
        f"`<{each.name}>`"
        if isinstance(each, TyperArgument)
        else ", ".join(f"`{name}`" for name in (*each.opts, *each.secondary_opts))
    )


def _about(each: TyperArgument | TyperOption) -> str:
    """Return what an argument or option means, and its default where it is worth saying."""
    text = " ".join((each.help or "").split()).replace("|", "\\|")
    worth = each.default not in {None, "", False} and not callable(each.default) and not each.required
    return f"{text} Default: `{each.default}`." if worth else text


def python_client() -> str:
    """Return the page of the Python client: its methods, and the shapes that they return."""
    intro = (
        "Every method and shape of `tafelrunde.client`, made from the code. [The client for Python](../python-client.md) is the "
        "introduction. `AsyncClient` has the same methods, to be awaited."
    )
    return f"# The Python client\n\n{intro}\n\n## Methods\n\n{_methods()}## Shapes\n\n{_shapes()}"


def _methods() -> str:
    """Return a section for every method of the client, in the order of the source: its signature and its docstring."""
    sources = [vars(kind) for kind in Client.__mro__ if kind is not object]
    methods = [
        each for source in sources for name, each in source.items() if inspect.isfunction(each) and not name.startswith("_")
    ]
    return "".join(f"### {each.__name__}\n\n```python\n{_signature(each)}\n```\n\n{_prose(each)}\n\n" for each in methods)


def _shapes() -> str:
    """Return a section for every shape that the client returns: its docstring and its fields."""
    found = [each for each in vars(shapes).values() if inspect.isclass(each) and each.__module__ == shapes.__name__]
    return "".join(f"### {each.__name__}\n\n{_prose(each)}\n\n{_fields(each)}" for each in found)


def _signature(method: object) -> str:
    assert callable(method)
    said = inspect.signature(method)
    short = ANNOTATION.sub(r"\1\2", str(said)).replace("(self, ", "(").replace("(self)", "()")
    return f"{getattr(method, '__name__', '')}{short}"


def _prose(it: object) -> str:
    return " ".join((inspect.getdoc(it) or "").split())


def _fields(shape: type) -> str:
    kinds = {name: str(kind) for each in reversed(shape.__mro__) for name, kind in inspect.get_annotations(each).items()}
    rows = [f"| `{name}` | `{kinds[name].replace('|', chr(92) + '|')}` |\n" for name in getattr(shape, "__struct_fields__", ())]
    return f"| field | type |\n|---|---|\n{''.join(rows)}\n" if rows else ""


def http() -> str:
    """Return the page of the HTTP API for the site: every operation and shape, with examples of real runs."""
    contract = openapi.document(GAMES)
    body = PROBLEM.sub(r'href="../errors.html#\1"', operations(contract, ""))
    intro = "Made from the contract. A service has this page at `/api/v1/docs`, and you can try it out at `/web/swagger.html`."
    return f'# The HTTP API\n\n{intro}\n\n<div markdown="0">{body}</div>\n'


PAGES_OF_SITE: Mapping[str, Callable[[], str]] = {
    "reference/http.md": http,
    "reference/python.md": python_client,
    "reference/command-line.md": command_line,
}
"""Pages that are made when the site is built: they are as long as what they describe."""
