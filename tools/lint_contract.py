"""Checks all contracts by public rule sets, and that each rule set finds a planted fault (`make contract`)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from tests.support.paths import ROOT
from tools.commands import alone
from tools.node import BUILD, environment, installed, require_registry

RECIPE = ROOT / "openapi" / "lint"


def openapi_fault(name: str = "openapi") -> tuple[Any, str]:
    """Return a small contract with a fault, one operation of the real one, and the rule that it breaks."""
    contract: Any = json.loads((RECIPE.parent / f"{name}.json").read_bytes())
    operation = contract["paths"]["/games/{game}"]["get"]
    operation |= {"parameters": [], "responses": {"200": {"description": "The game."}}}
    small = {name: contract[name] for name in ("openapi", "info", "servers", "tags")}
    return {**small, "paths": {"/games/{game}": {"get": operation}}}, "path-params"


def asyncapi_fault() -> tuple[Any, str]:
    """Return a small contract of the socket, without messages, with a fault in its address, and the rule that it breaks."""
    contract: Any = json.loads((RECIPE.parent / "asyncapi.json").read_bytes())
    socket = contract["channels"]["socket"]
    planted = {"address": f"{socket['address']}/", "description": socket["description"], "messages": {}}
    small = {name: contract[name] for name in ("asyncapi", "info", "servers")}
    del small["servers"]["service"]["security"]  # a reference to what is left out
    return {**small, "channels": {"socket": planted}}, "asyncapi-3-channel-no-trailing-slash"


def core_fault() -> tuple[Any, str]:
    """Return the same for the core contract."""
    return openapi_fault("core")


def lint(name: str, fault: Callable[[], tuple[Any, str]], rules: str = "openapi") -> None:
    """Lint a contract and its planted copy; exit with an error unless exactly the planted fault is found."""
    spectral = installed(RECIPE, BUILD / "lint") / "spectral"
    contract = RECIPE.parent / f"{name}.json"
    planted = BUILD / "lint" / f"planted-{name}.json"
    content, rule = fault()
    planted.write_text(json.dumps(content))
    command = [spectral, "lint", "--ruleset", RECIPE / f"{rules}.yaml", "--format", "json", "--quiet", contract, planted]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    for each in found:
        if each["source"] == str(contract):
            sys.exit(f"{each['code']} at {'/'.join(map(str, each['path']))}: {each['message']}")
    if {each["code"] for each in found} != {rule}:
        sys.exit(f"the linter does not find what was planted in {name}: {found}")
    sys.stdout.write(f"The linter finds nothing in {name}.json, and a planted fault in a copy.\n")


def main() -> None:
    """Lint all contracts."""
    require_registry("the linter of the contracts")
    lint("openapi", openapi_fault)
    lint("core", core_fault)
    lint("asyncapi", asyncapi_fault, "asyncapi")


if __name__ == "__main__":
    alone(__doc__)
    main()
