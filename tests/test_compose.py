"""compose.yaml: what its containers may do, and whether its commands and settings are those of this release."""

from __future__ import annotations

import ast
import asyncio
import re
import shlex
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest
import yaml
from redis import Redis
from redis.exceptions import AuthenticationError
from redis.exceptions import ConnectionError as Disconnected
from typer.testing import CliRunner

from tafelrunde.service.environment import KINDS, read_settings
from tafelrunde.service.runtime.connections import Proxies
from tafelrunde.service.runtime.embedded_options import SILENT
from tafelrunde.service.runtime.queue_names import QueueName
from tafelrunde.service.settings import Settings, variables
from tafelrunde.workers.bootstrap import check
from tafelrunde.workers.cli import app
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.proxy import CONFIGURATION, need_haproxy
from tests.support.servers import free_port, need

PASSWORD = "of/the@test#1 ?%41:+\"'\\n&"
"""With all that has a meaning in an address or a shell."""
VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?:(?P<kind>:[-?])(?P<rest>[^}]*))?\})")
UNITS = {"m": 2**20, "g": 2**30}


class Unset(Exception):
    """A variable without which the file is refused."""


def substituted(text: str, variables: Mapping[str, str]) -> str:
    """Return *text* as Compose reads it (Compose specification, interpolation)."""

    def replaced(found: re.Match[str]) -> str:
        name, kind, rest = found["name"], found["kind"], found["rest"]
        if name is None:
            return "$"
        if not variables.get(name) and kind == ":?":
            raise Unset(rest)
        return variables.get(name) or (rest if kind == ":-" else "")

    return VARIABLE.sub(replaced, text)


def services(variables: Mapping[str, str]) -> dict[str, dict[str, object]]:
    """Return the services of compose.yaml with *variables* set."""

    def walked(node: object) -> object:
        if isinstance(node, str):
            return substituted(node, variables)
        if isinstance(node, list):
            return [walked(each) for each in cast("list[object]", node)]
        if isinstance(node, dict):
            return {key: told(walked(value)) if key == "environment" else walked(value) for key, value in _items(node)}
        return node

    def told(environment: object) -> object:
        """Return an environment: a name without a value has that of Compose's own environment, and is not set without one."""
        found = {name: variables.get(str(name)) if value is None else value for name, value in _items(environment)}
        return {name: value for name, value in found.items() if value is not None}

    whole = cast("dict[str, object]", walked(yaml.safe_load((ROOT / "compose.yaml").read_text())))
    return cast("dict[str, dict[str, object]]", whole["services"])


def _items(node: object) -> Iterable[tuple[object, object]]:
    return cast("dict[object, object]", node).items()


SERVICES = services({"REDIS_PASSWORD": PASSWORD})
OURS = {name: service for name, service in SERVICES.items() if service.get("build")}


def environment(service: Mapping[str, object]) -> dict[str, str]:
    """Return the environment of a service."""
    return cast("dict[str, str]", service["environment"])


def command(service: Mapping[str, object]) -> list[str]:
    """Return the command of a service."""
    return cast("list[str]", service["command"])


def size(text: object) -> int:
    """Return a number of bytes such as 512m."""
    found = re.fullmatch(r"(\d+)(\w+)", str(text))
    assert found is not None, text
    number, unit = found.groups()
    return int(number) * UNITS[unit]


@pytest.mark.parametrize("name", SERVICES)
def test_container_has_no_more_rights_than_it_needs(name: str) -> None:
    """Read-only root, no capability, none to be gained, and a limit of memory and of processes."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert 0 < size(service["mem_limit"]) <= 2 * 2**30
    assert isinstance(service["pids_limit"], int)


def test_images_of_others_are_named_by_digest() -> None:
    """A tag can be moved to other content, a digest cannot."""
    used = [str(service["image"]) for service in SERVICES.values() if "build" not in service]
    used += re.findall(r"(?m)^FROM (\S+)", (ROOT / "Dockerfile").read_text())
    assert len(used) == 4
    assert [image for image in used if not re.search(r"@sha256:[0-9a-f]{64}$", image)] == []


def test_image_is_built_from_all_that_it_needs() -> None:
    """`.dockerignore` keeps no folder of a package back, and nothing that the Dockerfile or the packaging names."""
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    folders = re.search(r"(?s)^FOLDERS = (\{.*?\})", (ROOT / "setup.py").read_text(), re.MULTILINE)
    assert folders is not None
    copied = re.findall(r"(?m)^COPY (?!--from)(\S+) \S+/$", (ROOT / "Dockerfile").read_text())
    needed = {*ast.literal_eval(folders[1]).values(), *copied, "setup.py", "pyproject.toml", "LICENSE"}
    assert needed - {"."} <= kept


def test_no_container_runs_as_root() -> None:
    """The image has a user of its own, and the server and the proxy run as the users of their images."""
    assert re.search(r"(?m)^USER tafelrunde$", (ROOT / "Dockerfile").read_text())
    assert [name for name in ("redis", "proxy") if str(SERVICES[name]["user"]).startswith(("0", "root"))] == []


def test_only_the_proxy_is_published_and_on_this_machine_alone() -> None:
    """Tokens would cross a network in clear: who publishes it puts TLS in front of it."""
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"proxy": ["127.0.0.1:8000:8000"]}


@pytest.mark.parametrize("name", OURS)
def test_credentials_of_a_bucket_are_passed_on_where_there_are_some(name: str) -> None:
    """An empty value would hide what the machine itself offers, so without them the names are not set."""
    credentials = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token"}
    given = environment(services({"REDIS_PASSWORD": PASSWORD, **credentials})[name])
    assert {each: given[each] for each in credentials} == credentials
    assert not credentials.keys() & environment(SERVICES[name]).keys()


def test_every_setting_of_the_file_reaches_every_process() -> None:
    """What stands in `.env` is handed on, but where compose.yaml sets the same variable itself; the file may be missing."""
    assert [service["env_file"] for service in OURS.values()] == [[{"path": ".env", "required": False}]] * len(OURS)
    own = {name for service in OURS.values() for name in environment(service)}
    settings = {variable for kind in KINDS for _, variable in variables(kind)}
    assert own & settings == {
        "TAFELRUNDE_ARCHIVE_URL", "TAFELRUNDE_DURABILITY", "TAFELRUNDE_LOG_FORMAT", "TAFELRUNDE_REDIS_PASSWORD",
        "TAFELRUNDE_RQ_URL", "TAFELRUNDE_TRUSTED_PROXIES",
    }  # fmt: skip


@pytest.mark.parametrize("name", OURS)
def test_service_can_be_scaled(name: str) -> None:
    """Nothing in it can exist only once: no port of the machine, no name, no address, no folder."""
    assert not {"ports", "container_name", "hostname", "volumes"} & OURS[name].keys()
    assert isinstance(OURS[name]["networks"], list)


def test_proxy_reaches_the_apis_and_nothing_else() -> None:
    """It shares a network with them alone, whose addresses are those that they trust to name their clients."""
    networks = {name: cast("list[str]", service["networks"]) for name, service in SERVICES.items()}
    assert {name for name, joined in networks.items() if "front" in joined} == {"proxy", "api"}
    assert networks["proxy"] == ["front"]
    trusted = Proxies(environment(SERVICES["api"])["TAFELRUNDE_TRUSTED_PROXIES"])
    assert [trusted.include(each) for each in ("10.218.117.7", "127.0.0.1", "10.218.118.1")] == [True, True, False]


def test_proxy_starts_with_the_proxies_in_front_that_are_trusted() -> None:
    """They are separated by commas in `.env`, as everywhere."""
    proxy = services({"REDIS_PASSWORD": PASSWORD, "TRUSTED_PROXIES": "10.0.0.0/8,192.0.2.1"})["proxy"]
    (mounted,) = cast("list[str]", proxy["volumes"])
    here, there, rights = mounted.split(":")
    assert ((ROOT / here).resolve(), rights) == (CONFIGURATION, "ro")
    checked = [part.replace(there, str(CONFIGURATION)).replace("-db", "-c") for part in command(proxy)]
    path = f"{Path(need_haproxy()).parent}:/usr/bin:/bin"
    done = subprocess.run(checked, env={**environment(proxy), "PATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_deployment_without_a_password_is_refused() -> None:
    """Compose stops with a sentence that says what to write where."""
    with pytest.raises(Unset, match=r"REDIS_PASSWORD=... into .env"):
        services({})


@pytest.mark.parametrize(
    ("url", "with_it"),
    [
        ("redis://a:6379/1", "redis://{}a:6379/1"),
        ("unix:///run/s@1?db=1", "unix://{}/run/s@1?db=1"),
        ("rediss://me@a", "rediss://me@a"),
        ("nonsense", "nonsense"),
    ],
)
def test_password_is_put_into_addresses_that_have_none(url: str, with_it: str) -> None:
    """Whatever its characters mean in an address; of both servers."""
    found = read_settings({"REDIS_URL": url, "TAFELRUNDE_RQ_URL": url, "TAFELRUNDE_REDIS_PASSWORD": "/@ #"})
    assert found.redis_url == found.rq_url == with_it.format(":%2F%40%20%23@")
    assert read_settings({"TAFELRUNDE_REDIS_PASSWORD": "x"}).redis_url is None


@pytest.mark.parametrize("name", OURS)
def test_command_and_settings_are_those_of_the_release(name: str) -> None:
    """Each process knows its command, its options and its settings."""
    assert CliRunner().invoke(app, [*command(OURS[name]), "--help"]).exit_code == 0
    assert isinstance(read_settings(environment(OURS[name])), Settings)


def test_every_queue_is_served() -> None:
    """A queue without a worker would stop the bots or clocks that wait in it."""
    said = [word for service in OURS.values() for word in command(service)]
    assert {said[i + 1] for i, word in enumerate(said) if word == "--queue"} == {queue.value for queue in QueueName}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server of compose.yaml, started by its own command here; its address without a password."""
    folder = tmp_path_factory.mktemp("compose")
    port = free_port()
    (folder / "valkey-server").symlink_to(need("valkey"))
    shell = command(SERVICES["redis"])
    assert shell[:2] == ["sh", "-c"]
    places = {"/data": folder, "/dev/shm/valkey.conf": folder / "valkey.conf"}  # noqa: S108 - the container's own
    script = shell[2]
    for there, here in places.items():
        assert there in script
        script = script.replace(there, shlex.quote(str(here)))
    script = f"{script} --port {port} --bind 127.0.0.1"
    variables = {**environment(SERVICES["redis"]), "PATH": f"{folder}:/usr/bin:/bin"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(["sh", "-c", script], env=variables, stdout=log, stderr=log)
    try:
        _await_answer(port, process, folder / "log")
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def _await_answer(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            with Redis(port=port, password=PASSWORD) as client:
                client.ping()
                return
        except Disconnected:
            time.sleep(0.01)
    pytest.fail(log.read_text())


def test_server_answers_only_who_has_the_password(server: str) -> None:
    """A container that gets into the network does not own the decks."""
    with Redis.from_url(f"redis://{server}") as stranger, pytest.raises(AuthenticationError):
        stranger.ping()


def test_password_is_no_argument_of_the_server(tmp_path: Path) -> None:
    """Every user of the machine can read arguments. The file that it is in is readable by the server's user alone."""
    server, secret = tmp_path / "valkey-server", tmp_path / "valkey.conf"
    server.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    server.chmod(0o755)
    shell = [part.replace("/dev/shm/valkey.conf", str(secret)) for part in command(SERVICES["redis"])]  # noqa: S108 - the container's own
    variables = {**environment(SERVICES["redis"]), "PATH": f"{tmp_path}:/usr/bin:/bin"}
    arguments = subprocess.run(shell, env=variables, capture_output=True, text=True, check=True).stdout.splitlines()
    assert arguments[0] == str(secret)
    assert [each for each in arguments if PASSWORD in each] == []
    assert secret.stat().st_mode & 0o777 == 0o600


def test_processes_accept_the_server_as_it_is_set(server: str) -> None:
    """Its durability is the level that the processes ask for, and what it may take fits into its container."""
    settings = read_settings({name: value.replace("redis:6379", server) for name, value in environment(SERVICES["api"]).items()})
    asyncio.run(check(settings))
    with Redis.from_url(str(settings.redis_url)) as client:
        most = int(client.config_get("maxmemory")["maxmemory"] or 0)
    assert 0 < 2 * most <= size(SERVICES["redis"]["mem_limit"])


def test_server_keeps_no_arguments_of_commands(server: str) -> None:
    """Cards and secrets are in them; it is set as the embedded server is."""
    with Redis.from_url(f"redis://{server}", password=PASSWORD) as client:
        found = {name: client.config_get(name)[name] for name in SILENT}
    assert found == SILENT
