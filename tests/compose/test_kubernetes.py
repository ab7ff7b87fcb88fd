"""The manifests for Kubernetes, without a cluster: sound by its own schemas, and the service of docker-compose.yml.

Overlays are put together here as kustomize does it: resources, then JSON patches on what their targets match.
"""

import re
from typing import Any

import jsonpatch
import kubernetes_validate
import pytest
import yaml
from django.urls import resolve

from tests.compose.test_compose import OF_LIBRARIES, ROOT, SERVICES, settings_names

FOLDER = ROOT / "deploy" / "kubernetes"
OVERLAYS = ("base", "folder", "gpu")
OF_PYTHON = {"TMPDIR", "OMP_NUM_THREADS"}
Manifest = dict[str, Any]


def built(name: str) -> list[Manifest]:
    folder = FOLDER / name
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))
    found: list[Manifest] = []
    for resource in kustomization["resources"]:
        path = folder / resource
        if path.is_dir():
            found += built(path.resolve().name)
        else:
            found += yaml.safe_load_all(path.read_text(encoding="utf-8"))
    for each in kustomization.get("patches", []):
        wanted, patch = each["target"], jsonpatch.JsonPatch(yaml.safe_load(each["patch"]))
        matched = [manifest for manifest in found if is_wanted(manifest, wanted)]
        assert matched, f"{name}: nothing matches {wanted}"
        found = [patch.apply(manifest) if manifest in matched else manifest for manifest in found]
    return found


def is_wanted(manifest: Manifest, wanted: dict[str, str]) -> bool:
    return manifest["kind"] == wanted["kind"] and wanted.get("name") in (None, manifest["metadata"]["name"])


def pods(manifests: list[Manifest]) -> dict[str, Manifest]:
    """By part: web, light, models, migrate."""
    templates = [manifest["spec"]["template"] for manifest in manifests if "template" in manifest.get("spec", {})]
    return {template["metadata"]["labels"]["part"]: template["spec"] for template in templates}


def of_kind(manifests: list[Manifest], kind: str) -> list[Manifest]:
    return [manifest for manifest in manifests if manifest["kind"] == kind]


@pytest.mark.parametrize("name", OVERLAYS)
def test_they_are_sound_by_the_schemas_of_kubernetes(name: str) -> None:
    manifests = built(name)
    assert len(manifests) >= 7
    for manifest in manifests:
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


def test_a_manifest_with_a_wrong_word_is_noticed() -> None:
    (web, *_) = of_kind(built("base"), "Deployment")
    web["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(web, kubernetes_validate.latest_version(), strict=True)


@pytest.mark.parametrize("part", ["web", "light", "models", "migrate"])
def test_each_part_runs_what_its_container_runs(part: str) -> None:
    (container,) = pods(built("base"))[part]["containers"]
    assert container.get("command") == SERVICES[part].get("command")
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]


def test_they_set_only_what_the_settings_read_and_take_secrets_by_reference() -> None:
    manifests = built("base")
    (configured,) = of_kind(manifests, "ConfigMap")
    assert configured["data"].keys() <= settings_names() | OF_LIBRARIES | OF_PYTHON
    assert not of_kind(manifests, "Secret")
    assert [name for name in configured["data"] if re.search(r"KEY|SECRET|PASSWORD|_URL$", name)] == ["QUORUM_URL"]
    for pod in pods(manifests).values():
        for container in (*pod["containers"], *pod.get("initContainers", [])):
            given = {each["name"]: each for each in container["env"]}
            assert given.keys() <= settings_names() | OF_PYTHON
            assert given.keys() >= {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
            for name, each in given.items():
                if name not in {"DATABASE_APP_ROLE", "OMP_NUM_THREADS"}:
                    assert each["valueFrom"]["secretKeyRef"]["name"] == "quorum"


def test_the_migration_alone_has_the_owner_of_the_tables() -> None:
    for part, pod in pods(built("base")).items():
        (url,) = (each for each in pod["containers"][0]["env"] if each["name"] == "DATABASE_URL")
        key = "DATABASE_OWNER_URL" if part == "migrate" else "DATABASE_URL"
        assert url["valueFrom"]["secretKeyRef"]["key"] == key


def test_it_is_asked_at_an_address_that_the_api_answers() -> None:
    probe = pods(built("base"))["web"]["containers"][0]["readinessProbe"]["httpGet"]
    assert resolve(probe["path"])
    assert probe["httpHeaders"] == [{"name": "Host", "value": "localhost"}]


def test_only_files_in_a_folder_need_a_volume_that_stays() -> None:
    assert not of_kind(built("base"), "PersistentVolumeClaim")
    manifests = built("folder")
    (claim,) = of_kind(manifests, "PersistentVolumeClaim")
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    for part in ("web", "light", "models"):
        (media,) = (each for each in pods(manifests)[part]["volumes"] if each["name"] == "media")
        assert media["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    (configured,) = of_kind(manifests, "ConfigMap")
    assert not any(value for name, value in configured["data"].items() if name.startswith("QUORUM_S3_"))


def test_the_pool_of_gpus_is_for_model_workers_alone() -> None:
    for part, pod in pods(built("gpu")).items():
        limits = pod["containers"][0]["resources"]["limits"]
        assert limits.get("nvidia.com/gpu") == (1 if part == "models" else None)
        assert ("nodeSelector" in pod) == ("tolerations" in pod) == (part == "models")
