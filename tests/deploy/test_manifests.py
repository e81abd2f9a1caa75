"""docs/deploy/kubernetes: whether a cluster takes the manifests, what their pods may do, and whether they fit this release."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from typer.testing import CliRunner

from tafelrunde.service.environment import read_settings
from tafelrunde.service.runtime.connections import Proxies
from tafelrunde.service.runtime.embedded_options import SILENT
from tafelrunde.service.runtime.queue_names import QueueName
from tafelrunde.service.settings import Settings
from tafelrunde.workers.cli import app
from tests.support.paths import ROOT

FOLDER = ROOT / "docs" / "deploy" / "kubernetes"
SCHEMA: Any = json.loads(Path(__file__).with_name("kubernetes.json").read_text(encoding="utf-8"))
MANIFESTS: list[Any] = [
    each for path in sorted(FOLDER.glob("*.yaml")) for each in yaml.safe_load_all(path.read_text(encoding="utf-8"))
]
PODS: dict[str, Any] = {
    each["metadata"]["name"]: each["spec"]["template"] for each in MANIFESTS if "template" in each.get("spec", {})
}
OURS = ("api", "worker", "thinker", "sweeper")


def faults(manifest: Any) -> list[str]:
    """Return what the API server would say against a manifest."""
    schema = {"$ref": f"#/$defs/{SCHEMA['kinds'][manifest['kind']]}", "$defs": SCHEMA["$defs"]}
    return [error.message for error in jsonschema_rs.Draft7Validator(schema).iter_errors(manifest)]


def named(kind: str) -> Iterator[Any]:
    """Yield the manifests of a kind."""
    return (each for each in MANIFESTS if each["kind"] == kind)


def container(name: str) -> Any:
    """Return the one container of a pod."""
    (found,) = PODS[name]["spec"]["containers"]
    return found


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda each: f"{each['kind']} {each['metadata']['name']}")
def test_manifest_is_taken_by_the_api_server(manifest: Any) -> None:
    """Each is what the schema of its kind says, with no field that it does not have."""
    assert faults(manifest) == []


def test_manifest_with_a_misspelt_field_is_found() -> None:
    """The check sees a wrong name deep inside, and a wrong type."""
    (wrong,) = (copy.deepcopy(each) for each in named("Deployment") if each["metadata"]["name"] == "api")
    wrong["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
    wrong["spec"]["replicas"] = "two"
    assert len(faults(wrong)) == 2


@pytest.mark.parametrize("name", PODS)
def test_pod_has_no_more_rights_than_it_needs(name: str) -> None:
    """As in compose.yaml; and no token of the cluster, and no variables made of its services."""
    pod = PODS[name]["spec"]
    box = container(name)
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False
    rights = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert box["securityContext"] == rights
    assert {"memory"} == box["resources"]["limits"].keys()
    assert "livenessProbe" in box


@pytest.mark.parametrize("name", OURS)
def test_command_and_settings_are_those_of_the_release(name: str) -> None:
    """Each process knows its command, its options and its settings."""
    (settings,) = named("ConfigMap")
    assert CliRunner().invoke(app, [*container(name)["args"], "--help"]).exit_code == 0
    found = read_settings({**settings["data"], "TAFELRUNDE_REDIS_PASSWORD": "password"})
    assert isinstance(found, Settings)
    assert found.redis_url == "redis://:password@valkey:6379/0"
    assert Proxies(found.trusted_proxies).include("10.244.3.7")
    assert container(name)["envFrom"] == [{"configMapRef": {"name": settings["metadata"]["name"]}}]


def test_every_queue_is_served() -> None:
    """A queue without a worker would stop the bots or clocks that wait in it."""
    said = [word for name in OURS for word in container(name)["args"]]
    assert {said[i + 1] for i, word in enumerate(said) if word == "--queue"} == {queue.value for queue in QueueName}


def test_selectors_find_their_pods() -> None:
    """Each service, policy, budget and deployment names labels that a pod has."""
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    wanted = [each["spec"]["selector"] for each in named("Service")]
    wanted += [
        each["spec"]["selector"]["matchLabels"] for each in MANIFESTS if "matchLabels" in each.get("spec", {}).get("selector", {})
    ]
    wanted += [each["spec"]["podSelector"].get("matchLabels", {}) for each in named("NetworkPolicy")]
    assert len(wanted) >= 10
    assert [each for each in wanted if not any(each.items() <= found.items() for found in labels)] == []


def test_update_leaves_enough_processes() -> None:
    """No api is stopped before its successor is ready, and none before proxies have heard of it."""
    (api,) = (each for each in named("Deployment") if each["metadata"]["name"] == "api")
    assert api["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    pause = container("api")["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert PODS["api"]["spec"]["terminationGracePeriodSeconds"] > pause + Settings().drain_seconds
    assert container("api")["readinessProbe"]["httpGet"]["path"].endswith("/health/ready")
    assert container("api")["livenessProbe"]["httpGet"]["path"].endswith("/health/live")


def test_server_is_set_as_that_of_compose() -> None:
    """The same image, durability and memory, and no log of arguments."""
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert container("valkey")["image"] == services["redis"]["image"]
    command = container("valkey")["command"]
    assert command == [part.replace("$$", "$") for part in services["redis"]["command"]]
    assert all(f"--{name} {value}" in command[-1] for name, value in SILENT.items())
