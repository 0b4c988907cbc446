"""The Dockerfile and compose.yml, as far as they can be checked without running an engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path, PurePosixPath

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yml").read_text())

Instruction = tuple[str, str]


def instructions() -> list[Instruction]:
    """Return (keyword, the rest), comments dropped and continued lines joined."""
    text = re.sub(r"^#.*\n", "", (DOCKER / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line]


def stages() -> dict[str, list[Instruction]]:
    """Return the instructions of each named build stage."""
    found: dict[str, list[Instruction]] = {}
    for keyword, rest in instructions():
        if keyword == "FROM":
            current = found.setdefault(rest.split(" AS ")[1], [])
        elif found:
            current.append((keyword, rest))
    return found


def copies() -> list[tuple[str | None, str]]:
    """Return (stage or None, source) of everything that is copied."""
    found = []
    for keyword, rest in instructions():
        if keyword == "COPY":
            flags = dict(re.findall(r"--(\w+)=(\S+)", rest))
            *sources, _ = re.sub(r"--\w+=\S+", "", rest).split()
            found += [(flags.get("from"), source) for source in sources]
    return found


def test_the_dockerfile_has_known_instructions_only():
    known = {"ARG", "FROM", "RUN", "COPY", "ENV", "USER", "HEALTHCHECK", "VOLUME", "CMD"}
    assert {keyword for keyword, _ in instructions()} <= known
    assert list(stages()) == ["database", "model-build", "model"]


@pytest.mark.parametrize("source", [name for stage, name in copies() if stage is None])
def test_what_is_copied_exists_and_is_in_the_build_context(source):
    assert (ROOT / source).exists()
    ignore = (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    kept = [PurePosixPath(line[1:]) for line in ignore if line.startswith("!")]
    assert any(PurePosixPath(source).is_relative_to(path) for path in kept)


def test_what_is_copied_from_a_stage_is_from_one_above():
    names = list(stages())
    for target, steps in stages().items():
        for keyword, rest in steps:
            stage = re.search(r"--from=(\S+)", rest) if keyword == "COPY" else None
            assert stage is None or names.index(stage[1]) < names.index(target)


def test_each_package_file_that_the_wheel_includes_is_copied():
    pyproject = (ROOT / "pyproject.toml").read_text()
    section = pyproject.split("[tool.hatch.build.targets.wheel.force-include]")[1].split("\n[")[0]
    for source in re.findall(r'^"(\S+)" =', section, flags=re.MULTILINE):
        assert any(PurePosixPath(source).is_relative_to(copied) for _, copied in copies())


@pytest.mark.parametrize("target", ["database", "model"])
def test_each_image_runs_as_nobody_special_and_reports_its_health(target):
    users = [rest for keyword, rest in stages()[target] if keyword == "USER"]
    assert users and users[-1] not in ("root", "0")
    assert any(keyword == "HEALTHCHECK" for keyword, _ in stages()[target])


def test_compose_builds_targets_that_exist_from_the_repository():
    for service in COMPOSE["services"].values():
        build = service["build"]
        assert build["target"] in stages()
        assert (DOCKER / build["context"] / build["dockerfile"]).samefile(DOCKER / "Dockerfile")


def test_compose_mounts_declared_volumes_and_waits_for_declared_services():
    services = COMPOSE["services"]
    for service in services.values():
        for mount in service["volumes"]:
            assert mount.split(":")[0] in COMPOSE["volumes"]
        assert set(service.get("depends_on", {})) <= set(services)


def test_only_the_database_listens_and_only_on_loopback():
    services = COMPOSE["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["database"]
    assert all(port.startswith("127.0.0.1:") for port in services["database"]["ports"])
    assert services["model"]["network_mode"] == "service:database"


def test_no_service_gains_privileges_and_no_password_is_written_down():
    for service in COMPOSE["services"].values():
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or re.fullmatch(r"\$\{\w+:\?.+\}", value)


ENGINE = [
    ["docker", "build", "--check", "-f", DOCKER / "Dockerfile", ROOT],
    ["docker", "compose", "-f", DOCKER / "compose.yml", "config", "--quiet"],
]


@pytest.mark.parametrize("command", ENGINE, ids=["build", "compose"])
def test_the_engine_accepts_it(command):
    if not shutil.which("docker") or run(["docker", "info"]).returncode != 0:
        pytest.skip("no Docker engine answers here: the images are not built")
    done = run(command)
    assert done.returncode == 0, done.stderr


def run(command: list[str | Path]) -> subprocess.CompletedProcess[str]:
    passwords = {"POSTGRES_PASSWORD": "x", "ANALYST_PASSWORD": "x"}
    environment = {**os.environ, **passwords}
    return subprocess.run(command, capture_output=True, text=True, env=environment)
