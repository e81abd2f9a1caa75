"""Checks the contract by a public rule set, and that the rule set finds a planted fault (`make contract`)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tools.commands import alone
from tools.node import BUILD, environment, installed, require_registry

RECIPE = ROOT / "openapi" / "lint"
CONTRACT = RECIPE.parent / "openapi.json"


def planted() -> tuple[Path, str]:
    """Write a small contract with a fault, one operation of the real one; return it, and the rule that it breaks."""
    contract: Any = json.loads(CONTRACT.read_bytes())
    operation = contract["paths"]["/games/{game}"]["get"]
    operation |= {"parameters": [], "responses": {"200": {"description": "The game."}}}
    small = {name: contract[name] for name in ("openapi", "info", "servers", "tags")}
    file = BUILD / "lint" / "planted.json"
    file.write_text(json.dumps({**small, "paths": {"/games/{game}": {"get": operation}}}))
    return file, "path-params"


def main() -> None:
    """Lint the contract and the planted copy; exit with an error unless exactly the planted fault is found."""
    require_registry("the linter of the contract")
    spectral = installed(RECIPE, BUILD / "lint") / "spectral"
    fault, rule = planted()
    command = [spectral, "lint", "--ruleset", RECIPE / "ruleset.yaml", "--format", "json", "--quiet", CONTRACT, fault]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    for each in found:
        if each["source"] == str(CONTRACT):
            sys.exit(f"{each['code']} at {'/'.join(map(str, each['path']))}: {each['message']}")
    if {each["code"] for each in found} != {rule}:
        sys.exit(f"the linter does not find what was planted: {found}")
    sys.stdout.write("The linter finds nothing in the contract, and a planted fault in a copy.\n")


if __name__ == "__main__":
    alone(__doc__)
    main()
