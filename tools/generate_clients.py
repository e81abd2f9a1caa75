"""Generates the clients from the contracts and lets each play a match of every game (`make clients`, `make client-go`).

Everything is made in build/clients, by openapi/clients/generate. Node.js and Java come as packages; Go must be there. The
service that they play against is one of a later version: its feeds have an event type that no contract names.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tafelrunde.client import Client
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.export import MatchRecords
from tests.support.paths import ROOT
from tests.support.planted import planted
from tests.support.processes import run
from tests.support.served import Service, service
from tools import node
from tools.commands import CommandLine
from tools.node import environment, require_registry

BUILD = node.BUILD / "clients"
SECONDS = 600
CONTRACT = ROOT / "openapi" / "openapi.json"
SOURCES = frozenset({".py", ".ts", ".java", ".cs", ".go"})
OTHERS = frozenset({"node_modules", ".venv", "python", "web", "generator", "cache"})
"""Folders beside a generated client that hold no part of it."""
KEEPING = frozenset({"Python", "TypeScript", "Go"})
"""The clients that write a file of each match that `tafelrunde verify --kept` reads."""
GENERATED = {"Python": "tafelrunde_generated", "TypeScript": "typescript"}
"""Where the clients of `make clients` are, in build/clients."""
PAGE = 100
"""Items on a page of a feed, unless the client wants another number of them."""
LINE = re.compile(r"(?P<game>[\w-]+): (?P<events>\d+) events(?:, (?P<unknown>\d+) unknown)?, places \[[\d ,]+\]")


def tools() -> dict[str, str]:
    """Return the environment of the recipe: the tools it uses."""
    return {**environment(), "PYTHON": sys.executable, "PYRIGHT": str(Path(sys.executable).parent / "pyright")}


def play(url: str, commands: Mapping[str, list[str]]) -> dict[str, str]:
    """Let all clients play at the same time; return their output."""
    running = {
        name: subprocess.Popen([*command, url], cwd=BUILD, env=tools(), stdout=subprocess.PIPE, text=True)
        for name, command in commands.items()
    }
    told = {name: client.communicate(timeout=SECONDS)[0] for name, client in running.items()}
    for name, client in running.items():
        if client.returncode != 0:
            sys.exit(f"the {name} client failed:\n{told[name]}")
    return told


def unplayed(text: str) -> Iterator[str]:
    """Yield what is missing in what a client printed: a game, or the one event on each page of a feed that is of an unknown kind.

    A client whose language checks no types at run time does not count those.
    """
    lines = {match["game"]: match for line in text.splitlines() if (match := LINE.fullmatch(line)) is not None}
    if list(lines) != list(GAMES):
        yield f"played {list(lines)} of {list(GAMES)}: {text!r}"
    for game, line in lines.items():
        events = int(line["events"])
        unknown = line["unknown"]
        pages = -(-events // (PAGE + 1))
        if events == 0 or unknown not in {None, str(pages)}:
            yield f"{game}: {unknown} unknown events on {pages} pages with {events}"


def unprotected(served: Service) -> Iterator[str]:
    """Yield the last finished matches in which a player's seat has no nonce, so that its player had no share in the shuffles.

    A nonce that came with the opening would have been refused.
    """
    assert served.application is not None
    with Client(served.url) as client:
        client.sign_up()
        finished = [MatchId(each.match) for each in client.matches(status="over").items]
    for match in finished:
        chairs = served.do(served.application.repository.load_latest(match)).match.chairs
        if not all(chair.nonce for chair in chairs if chair.player is not None):
            yield f"{match}: a player sat down without a nonce"


def unkept(served: Service, folder: Path, count: int) -> Iterator[str]:
    """Yield what `tafelrunde verify --kept` says, unless as many matches were kept in a folder and all are as they were kept."""
    assert served.application is not None
    files = [*folder.glob("kept/*.kept.json")]
    records = folder / "records"
    shutil.rmtree(records, ignore_errors=True)
    records.mkdir()
    for match in (MatchId(path.name.partition(".")[0]) for path in files):
        (records / f"{match}.ndjson").write_bytes(b"".join(served.do(served.application.get(MatchRecords).export(match))))
    if len(files) != count:
        yield f"{len(files)} of {count} matches were kept"
    done = run("verify", str(records), "--kept", str(folder / "kept")) if files else None
    if done is not None and (done.returncode != 0 or f"{count} records were compared" not in done.stdout):
        yield f"what was kept is not right: {done.stdout}{done.stderr}"


def unnamed(folder: Path, written: bytes) -> list[str]:
    """Return the operations of a contract's paths that no generated source of a folder names: those that a client lacks.

    A generator that writes one file for each tag loses them where a tag is used twice, and ends well.
    """
    contract: dict[str, dict[str, dict[str, dict[str, object]]]] = json.loads(written)
    sources = (path for path in folder.rglob("*") if path.suffix in SOURCES and not OTHERS & {*path.relative_to(folder).parts})
    text = "".join(path.read_text(encoding="utf-8") + path.stem for path in sources).replace("_", "").lower()
    operations = (operation for methods in contract["paths"].values() for operation in methods.values())
    return [name for each in operations if (name := str(each["operationId"])).lower() not in text]


def generate(recipe: str, folder: Path) -> None:
    """Run a recipe."""
    subprocess.run([ROOT / "openapi" / "clients" / recipe, folder], env=tools(), check=True, timeout=2 * SECONDS)


def scripted() -> dict[str, list[str]]:
    """Build the clients in Python and TypeScript, one of the core contract, one over the socket; return what starts them."""
    require_registry("the generated clients")
    generate("generate", BUILD)
    scripts = {"TypeScript": "typescript/out/play.js", "TypeScript, over the socket": "typescript/socket/out/play.js"}
    programs = {"Python": "play.py", "Python, core contract": "core/play.py"}
    return {
        **{name: ["python/bin/python", program] for name, program in programs.items()},
        **{name: ["node", script] for name, script in scripts.items()},
    }


def compiled() -> dict[str, list[str]]:
    """Build the client in Go; return the command that starts it."""
    if shutil.which("go") is None:
        sys.exit("the Go client needs Go: on Debian, apt-get install golang-go golang-gopkg-validator.v2-dev")
    generate("go/generate", BUILD / "go")
    return {"Go": ["go/play"]}


def main(languages: Sequence[str]) -> None:
    """Generate, check and play; exit with an error if a client has not played every game."""
    commands, made = (compiled(), {"Go": "go"}) if "go" in languages else (scripted(), GENERATED)
    written = CONTRACT.read_bytes()
    if lacking := {name: lost for name, folder in made.items() if (lost := unnamed(BUILD / folder, written))}:
        sys.exit(f"operations that no client has: {lacking}")
    shutil.rmtree(BUILD / "kept", ignore_errors=True)
    with service(around=planted) as served:
        told = play(served.url, commands)
        if faults := [*unprotected(served), *unkept(served, BUILD, len(commands.keys() & KEEPING) * len(GAMES))]:
            sys.exit("\n".join(faults))
    for name, text in told.items():
        if faults := [*unplayed(text)]:
            sys.exit(f"the {name} client: {'; '.join(faults)}")
        sys.stdout.write("".join(f"{name}: {line}\n" for line in text.splitlines()))


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("go", nargs="?", choices=("go",), help="the client in Go, in place of the others")
    main([*filter(None, [command.parse_args().go])])
