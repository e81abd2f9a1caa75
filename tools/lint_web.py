"""Lints the web client by ESLint and Prettier (a part of `make lint`), and shows that a planted fault is found."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.paths import ROOT
from tools.commands import CommandLine
from tools.node import BUILD, environment, installed, require_registry

RECIPE = ROOT / "tools" / "web_lint"
CLIENT = ROOT / "api" / "web"
UNITS = ROOT / "tests" / "web" / "units"
NOT_OURS = frozenset({"swagger-ui.js", "swagger-ui.css", "lit.js"})
SETTINGS = ("package.json", "eslint.config.js")
PLANTED = "var  unused = 1;\n"


def checked() -> list[Path]:
    """Return the modules and style sheets that are written here."""
    found = (*CLIENT.rglob("*.js"), *CLIENT.rglob("*.css"), *UNITS.rglob("*.js"))
    return sorted(each for each in found if each.name not in NOT_OURS)


def faults(tools: Path, folder: Path, *only: str) -> dict[str, str]:
    """Return what ESLint and Prettier find in a folder, or in some of its files *only*, by the name of the tool."""
    modules = (tools / "eslint", "--config", "eslint.config.js", *(only or (".",)))
    form = (tools / "prettier", "--config", "package.json", "--check", *(only or ("**/*.js", "**/*.css")))
    found: dict[str, str] = {}
    for name, command in (("eslint", modules), ("prettier", form)):
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            found[name] = done.stdout + done.stderr
    return found


def copied(folder: Path, files: list[Path]) -> None:
    """Copy files to where the tools are installed: they look for their settings and packages above what they check."""
    for file in files:
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    for name in SETTINGS:
        shutil.copy(RECIPE / name, folder)


def written(tools: Path) -> None:
    """Format the files in place."""
    command = (tools / "prettier", "--config", RECIPE / "package.json", "--log-level", "warn", "--write", *checked())
    subprocess.run(command, env=environment(), check=True)


def main() -> None:
    """Check the client, and a planted fault; exit with an error unless both tools find exactly that. With --write, format it."""
    command = CommandLine(__doc__)
    command.add_argument("--write", action="store_true", help="format it")
    write = command.parse_args().write
    require_registry("ESLint and Prettier")
    tools = installed(RECIPE, BUILD / "web-lint")
    if write:
        return written(tools)
    with tempfile.TemporaryDirectory(dir=tools.parents[1]) as name:
        folder = Path(name)
        copied(folder, checked())
        if found := faults(tools, folder):
            sys.exit("\n".join(f"{tool}: {said}" for tool, said in found.items()))
        (folder / "planted.js").write_text(PLANTED)
        if set(faults(tools, folder, "planted.js")) != {"eslint", "prettier"}:
            sys.exit("a planted fault is not found")
    sys.stdout.write("ESLint and Prettier find nothing in the web client, and a planted fault in a copy.\n")
    return None


if __name__ == "__main__":
    main()
