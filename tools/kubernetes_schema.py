"""Writes the part of Kubernetes' API schemas that docs/deploy/kubernetes needs: `python -m tools.kubernetes_schema FOLDER`.

FOLDER is a folder of the package `kubernetes-validate` with the strict schemas of one release. Descriptions are left out: the
package is a hundred megabytes, what is needed of it a few dozen kilobytes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tools.commands import CommandLine

SCHEMA = ROOT / "tests" / "deploy" / "kubernetes.json"
KINDS = {
    "ConfigMap": "io.k8s.api.core.v1.ConfigMap",
    "Deployment": "io.k8s.api.apps.v1.Deployment",
    "Ingress": "io.k8s.api.networking.v1.Ingress",
    "Namespace": "io.k8s.api.core.v1.Namespace",
    "NetworkPolicy": "io.k8s.api.networking.v1.NetworkPolicy",
    "PodDisruptionBudget": "io.k8s.api.policy.v1.PodDisruptionBudget",
    "Service": "io.k8s.api.core.v1.Service",
    "StatefulSet": "io.k8s.api.apps.v1.StatefulSet",
}
REFERENCE = re.compile(r'"\$ref": "[^"#]*#/(?:\$defs|definitions)/([^"]+)"')


def bare(node: Any) -> Any:
    """Return a schema without its descriptions and its extensions."""
    if isinstance(node, dict):
        kept = {key: value for key, value in node.items() if not key.startswith("x-") and not _is_description(key, value)}
        return {key: bare(value) for key, value in kept.items()}
    return [bare(each) for each in node] if isinstance(node, list) else node


def _is_description(key: str, value: object) -> bool:
    return key == "description" and isinstance(value, str)


def needed(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions of the kinds, and of all that they refer to."""
    found: dict[str, Any] = {}
    waiting = list(KINDS.values())
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = bare(definitions[name])
            waiting += REFERENCE.findall(json.dumps(found[name]))
    return dict(sorted(found.items()))


def main() -> None:
    """Write the file."""
    command = CommandLine(__doc__)
    command.add_argument("folder", type=Path)
    folder: Path = command.parse_args().folder
    whole = json.loads((folder / "_definitions.json").read_text(encoding="utf-8"))
    definitions = needed(whole.get("$defs") or whole["definitions"])
    release = folder.name.partition("-")[0]
    text = REFERENCE.sub(r'"$ref": "#/$defs/\1"', json.dumps(definitions))
    schema = {
        "$comment": f"Of Kubernetes {release}, without descriptions. Apache License 2.0, see LICENSE-kubernetes.",
        "kinds": KINDS,
        "$defs": json.loads(text),
    }
    SCHEMA.write_text(json.dumps(schema, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
