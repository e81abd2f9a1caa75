"""`python -m tools.compiled build|check|try|dist|hint`: rules and search compiled by mypyc, from one source.

The build is a copy of domain/ in build/fast, with the compiled modules beside their sources. The finder that `build` puts into
the environment (tools/compiled_finder.py) hands it out in place of domain/ while it was made of the very same sources; after
any edit, and without a build, the plain form runs. Both give the same results, which `check` compares.

The only thing that is not in the source as it stands: mypyc keeps no annotations of fields at run time, so the methods `copy`
and `digest_form` of each table, which domain/fields.py otherwise writes at import, are written into the copy beforehand.
Beside the compiled modules lie the sources as they stand: no module is read from them, but records name their digests, and
those must be the same in both forms of a release.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from tools.commands import CommandLine
from tools.compiled_finder import BUILT, CHOICE, DOMAIN, STAMP, digest, fresh

ROOT = DOMAIN.parent
SHARED = ("deal_sampling", "play_policy", "search", "seats", "state", "table", "wording")
"""The modules that compiled games stand on."""
INTERPRETED = frozenset(("__init__", "effects", "events", "game", "messages", "view"))
"""What a game declares, and msgspec carries out. Its guide is all texts."""
UNREAD = shutil.ignore_patterns("__pycache__")
HEADER = "from __future__ import annotations\n"
DECORATED = "from typing import TYPE_CHECKING, Self, final\n\nif TYPE_CHECKING:\n    from mypy_extensions import mypyc_attr\n"


def games() -> list[str]:
    """Return the names of the folders of games."""
    return sorted(path.parent.name for path in DOMAIN.glob("*/game.py"))


def modules(chosen: Sequence[str]) -> list[str]:
    """Return the modules to compile, as names below domain, for some games."""
    own = (path for game in chosen for room in ("", "bots") for path in sorted((DOMAIN / game / room).glob("*.py")))
    kept = (path.relative_to(DOMAIN).with_suffix("") for path in own if path.stem not in INTERPRETED)
    return [*SHARED, *(".".join(path.parts) for path in kept)]


def stage(target: Path, chosen: Sequence[str]) -> list[str]:
    """Write the copy of domain/ that is to be compiled; return the paths of its modules below *target*."""
    os.environ[CHOICE] = ""  # compiled tables have lost the annotations that are read here
    shutil.rmtree(target, ignore_errors=True)
    package = target / "tafelrunde" / "domain"
    shutil.copytree(DOMAIN, package, ignore=UNREAD)
    paths = [package / f"{name.replace('.', '/')}.py" for name in modules(chosen)]
    for name, path in zip(modules(chosen), paths, strict=True):
        check_source(name, path.read_text("utf-8"))
        path.write_text(expanded(importlib.import_module(f"tafelrunde.domain.{name}"), path.read_text("utf-8")), "utf-8")
    return [str(path.relative_to(target)) for path in paths]


def check_source(name: str, source: str) -> None:
    """Raise TypeError for what mypyc would compile into something else.

    It drops keywords of classes, such as `frozen` and `tag`. Most generator expressions become lists: one that draws from
    *rng* or *chance* would make all its draws, where plain Python makes those that are asked for.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and [each.arg for each in node.keywords] not in ([], ["metaclass"]):
            raise TypeError(f"domain.{name}.{node.name}: a class with keywords cannot be compiled")
        if isinstance(node, ast.GeneratorExp) and {"rng", "chance"} & {
            each.id for each in ast.walk(node) if isinstance(each, ast.Name)
        }:
            raise TypeError(f"domain.{name}, line {node.lineno}: a generator expression draws")


def expanded(module: ModuleType, source: str) -> str:
    """Return a module with the methods of its tables written out, for mypyc."""
    from tafelrunde.domain.state import State  # noqa: PLC0415 - setup.py reads this module without the package
    from tafelrunde.domain.table import Table  # noqa: PLC0415 - setup.py reads this module without the package

    lines = source.replace("class State(metaclass=StateType):", "class State:").splitlines()
    found = False
    for node in reversed(ast.parse(source).body):
        kind = getattr(module, node.name) if isinstance(node, ast.ClassDef) else None
        if isinstance(node, ast.ClassDef) and isinstance(kind, type) and issubclass(kind, Enum) and kind.__doc__:
            # mypyc puts a filler in its place, and the contract shows what an enumeration says of itself.
            lines.insert(node.end_lineno or 0, f'\n\nsetattr({node.name}, "__doc__", {kind.__doc__!r})')
        if isinstance(node, ast.ClassDef) and isinstance(kind, type) and issubclass(kind, State):
            found = True
            if kind is not State:
                lines[node.end_lineno : node.end_lineno] = _methods(kind, module)
            # Without this, mypyc lets no object be made but by `__init__`.
            lines.insert(node.lineno - 1, "@mypyc_attr(allow_interpreted_subclasses=True)")
            if kind is not State and kind is not Table:
                lines.insert(node.lineno - 1, "@final")  # its methods are called directly
    text = "\n".join([*lines, ""])
    return text.replace(HEADER, f"{HEADER}\n{DECORATED}", 1) if found else text


def _methods(kind: type, module: ModuleType) -> Iterator[str]:
    from tafelrunde.domain.fields import copied_fields, digested_fields  # noqa: PLC0415 - setup.py reads this module without the package
    from tafelrunde.domain.table import Table  # noqa: PLC0415 - setup.py reads this module without the package

    yield from ("", "    def copy(self) -> Self:", f"        twin = {kind.__name__}.__new__({kind.__name__})")
    yield from (f"        twin.{field} = {value}" for field, value in copied_fields(kind).items())
    # A class that may have subclasses cannot promise mypy that its copy is of the same.
    note = "  # type: ignore[return-value]" if kind is Table else ""
    yield from (f"        return twin{note}", "", "    def digest_form(self) -> dict[str, object]:")
    yield "        return {"
    for key, (field, form) in digested_fields(kind).items():
        yield f"            {key!r}: {f'{_name_of(form, module)}(self.{field})' if form else f'self.{field}'},"
    yield "        }"


def _name_of(form: Callable[..., object], module: ModuleType) -> str:
    """Return the name that a function has in a module."""
    own = form.__name__
    if getattr(module, own, getattr(builtins, own, None)) is form:
        return own
    return next(f"{name}.{own}" for name, each in vars(module).items() if getattr(each, own, None) is form)


def translated(target: Path, chosen: Sequence[str], level: str) -> list[Any]:
    """Stage the copy in *target*, translate it to C, and return what setuptools is to compile."""
    from mypyc.build import mypycify  # noqa: PLC0415 - only where something is compiled

    paths = stage(target, chosen)
    before = Path.cwd()
    os.environ["MYPYPATH"] = str(target)
    os.chdir(target)
    try:
        options = [
            "--namespace-packages",
            "--explicit-package-bases",
            "--implicit-reexport",
            "--cache-dir",
            str(target / ".mypy"),
        ]
        extensions = mypycify(
            [*options, *paths],
            opt_level=level,
            debug_level="0",
            group_name="tafelrunde.domain.compiled",
            target_dir=str(target / "c"),
        )
    finally:
        os.chdir(before)
    restore(target)
    if os.name != "nt":
        for each in extensions:  # a product and a sum in one step would round otherwise than the plain form does
            each.extra_compile_args.append("-ffp-contract=off")
    return extensions


def restore(target: Path) -> None:
    """Put the sources as they stand in the place of those that were written out for mypyc, which has read them."""
    shutil.copytree(DOMAIN, target / "tafelrunde" / "domain", ignore=UNREAD, dirs_exist_ok=True)


def build(built: Path, level: str, chosen: Sequence[str]) -> None:
    """Compile some games into a folder. It has no stamp, so it is not used, before it is whole."""
    from setuptools import setup  # noqa: PLC0415 - only where something is compiled

    made = digest()
    (built / STAMP).unlink(missing_ok=True)
    work = built.with_name(f"{built.name}.part")
    extended = translated(work, chosen, level)
    os.chdir(work)
    setup(name="tafelrunde-compiled", ext_modules=extended, script_args=["--quiet", "build_ext", "--inplace"])
    os.chdir(ROOT)
    shutil.rmtree(built, ignore_errors=True)
    shutil.copytree(work / "tafelrunde", built / "tafelrunde")
    shutil.rmtree(work)
    (built / STAMP).write_text(made, "utf-8")


def dist(folder: str) -> None:
    """Write a source distribution, a plain wheel and a compiled one."""
    for kind, more in (("--sdist", {}), ("--wheel", {}), ("--wheel", {"TAFELRUNDE_COMPILE": "1"})):
        command = [sys.executable, "-m", "build", kind, "--no-isolation", "--outdir", folder]
        subprocess.run(command, env={**os.environ, **more}, cwd=ROOT, check=True)


def install() -> None:
    """Let this environment look for the compiled form first."""
    site = Path(sysconfig.get_path("purelib"))
    finder = Path(__file__).with_name("compiled_finder.py").read_text("utf-8")
    text = finder.replace("Path(__file__).resolve().parent.parent", f"Path({str(ROOT)!r})")
    (site / "tafelrunde_compiled.py").write_text(text, "utf-8")
    (site / "tafelrunde_compiled.pth").write_text("import tafelrunde_compiled; tafelrunde_compiled.install()\n", "utf-8")


def hint() -> str | None:
    """Return what is to be said to a person who starts the service; None if there is nothing to gain."""
    if shutil.which("cc") is None:
        return None
    if not (BUILT / STAMP).exists():
        return "The rules run as plain Python. `make fast` compiles them once (a few minutes), for about twice the speed."
    if not fresh(BUILT):
        return "The rules have changed since `make fast`, so they run as plain Python: run it again."
    return None


def check(built: Path, matches: str, chosen: Sequence[str]) -> bool:
    """Print whether both forms play some matches of each game alike."""
    plain = _digests("", "plain", matches, chosen)
    compiled = _digests(str(built), "compiled", matches, chosen)
    for one, other in zip(plain, compiled, strict=True):
        print(f"{one} {'in both forms' if one == other else f'BUT COMPILED {other}'}")  # noqa: T201 - what the command is for
    return plain == compiled


def _digests(choice: str, form: str, matches: str, chosen: Sequence[str]) -> list[str]:
    begin = "import runpy; from tools import compiled_finder as finder; finder.install()"
    command = [sys.executable, "-c", f"{begin}; runpy.run_module('tools.compiled_digests', run_name='__main__')", form, matches]
    env = {**os.environ, CHOICE: choice}
    found = subprocess.run([*command, *chosen], env=env, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return found.stdout.splitlines()


def main(arguments: Sequence[str]) -> None:
    """Do what the command line says: the name of a task, and what belongs to it."""
    command = CommandLine(__doc__)
    command.add_argument("task", choices=("build", "check", "try", "dist", "hint"), metavar="TASK")
    command.add_argument("rest", nargs="*", metavar="...", help="LEVEL | MATCHES [GAME...] | MATCHES GAME... | FOLDER")
    given = command.parse_args(arguments)
    chosen = given.rest[1:]
    if given.task in {"check", "try"} and (unknown := {*chosen} - {*games()}):
        command.error(f"no folder of a game: {', '.join(sorted(unknown))}; there are {', '.join(games())}")
    match [given.task, *given.rest]:
        case ["build", level]:
            build(BUILT, level, games())
            install()
        case ["check", matches, *_]:
            sys.exit(not check(BUILT, matches, chosen or games()))
        case ["try", _, _, *_] if shutil.which("cc") is None and "CI" not in os.environ:
            print("There is no C compiler, so the compiled form is not compared.")  # noqa: T201 - what the command is for
        case ["try", matches, _, *_]:
            with TemporaryDirectory() as folder:
                build(Path(folder, "built"), "0", chosen)
                sys.exit(not check(Path(folder, "built"), matches, chosen))
        case ["dist", folder]:
            dist(folder)
        case ["hint"]:
            print(hint() or "", end="\n" if hint() else "")  # noqa: T201 - what the command is for
        case _:
            command.error("build LEVEL | check MATCHES [GAME...] | try MATCHES GAME... | dist FOLDER | hint")


if __name__ == "__main__":
    main(sys.argv[1:])
