"""Tests the contents of the shipped wheels in the folder `VITALWIRE_WHEELS`, and that they work without other packages.

`cargo xtask test` builds the wheels.
"""

from __future__ import annotations

import base64
import csv
import email
import email.message
import hashlib
import importlib.metadata
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import venv
import zipfile

import packaging.metadata
import packaging.requirements
import packaging.utils
import pytest
import trove_classifiers

import vitalwire

#: Folder of the wheels.
WHEELS = pathlib.Path(os.environ.get("VITALWIRE_WHEELS", "."))
pytestmark = pytest.mark.skipif("VITALWIRE_WHEELS" not in os.environ, reason="VITALWIRE_WHEELS names no folder")

ROOT = pathlib.Path(__file__).parents[3]
#: Source folder of each package.
PACKAGES = {"vitalwire": ROOT / "bindings" / "python", "vitalwire-sandbox": ROOT / "bindings" / "python" / "sandbox"}
#: File with the notices of linked libraries.
NOTICES = "THIRD-PARTY-NOTICES.txt"
#: Crates that are linked into both wheels, for TLS, constant-time comparison, compression and JSON.
LINKED = ["ring", "rustls", "rustls-webpki", "subtle", "zlib-rs", "serde_json"]
#: Beginning of the URLs in the metadata.
REPOSITORY = "https://github.com/vitalwire/vitalwire"


def licence_texts(name: str) -> dict[str, bytes]:
    """Returns the licence texts that a package must contain unchanged."""
    own = {file: (ROOT / file).read_bytes() for file in ("LICENSE-APACHE", "LICENSE-MIT")}
    return {**own, NOTICES: (PACKAGES[name] / NOTICES).read_bytes()}


class Wheel:
    """A wheel and its metadata."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        with zipfile.ZipFile(path) as file:
            assert file.testzip() is None
            self.files = {info.filename: file.read(info) for info in file.infolist()}
        self.name = path.name.split("-")[0].replace("_", "-")
        self.info = f"{path.name.split('-')[0]}-{vitalwire.__version__}.dist-info"
        self.metadata = self.files[f"{self.info}/METADATA"]

    def libraries(self) -> list[str]:
        """Returns the files of native libraries."""
        return [name for name in self.files if re.fullmatch(r"vitalwire/_native\.([a-z0-9_.-]+\.)?(so|pyd)", name)]

    def tag(self) -> email.message.Message:
        """Returns the parsed file `WHEEL`."""
        return email.message_from_bytes(self.files[f"{self.info}/WHEEL"])


def wheels() -> list[pathlib.Path]:
    """Returns all wheels."""
    return sorted(WHEELS.glob("*.whl")) if "VITALWIRE_WHEELS" in os.environ else []


@pytest.fixture(scope="module", params=wheels(), ids=lambda path: path.name)
def wheel(request: pytest.FixtureRequest) -> Wheel:
    return Wheel(request.param)


def test_both_packages_were_built() -> None:
    assert {path.name.split("-")[0] for path in wheels()} == {"vitalwire", "vitalwire_sandbox"}


def test_the_wheel_name_matches_its_content(wheel: Wheel) -> None:
    name, version, _, tags = packaging.utils.parse_wheel_filename(wheel.path.name)
    assert name in PACKAGES and str(version) == vitalwire.__version__
    assert set(wheel.tag().get_all("Tag") or ()) == {str(tag) for tag in tags}
    ((interpreter, abi),) = {(tag.interpreter, tag.abi) for tag in tags}
    if name == "vitalwire":
        # One wheel supports all versions through the stable ABI. Each free-threaded version has its own wheel.
        assert (interpreter, abi) == ("cp310", "abi3") or re.fullmatch(r"cp31\dt", abi)
    else:
        assert (interpreter, abi) == ("py3", "none")


def test_the_metadata_is_complete(wheel: Wheel) -> None:
    metadata = packaging.metadata.Metadata.from_email(wheel.metadata, validate=True)
    assert metadata.license_expression == "MIT OR Apache-2.0" and sorted(metadata.license_files or ()) == sorted(licence_texts(wheel.name))
    assert str(metadata.requires_python) == ">=3.10" and metadata.summary and metadata.description and metadata.keywords
    assert not [classifier for classifier in metadata.classifiers or () if classifier not in trove_classifiers.classifiers]
    assert len(set(metadata.classifiers or ())) == len(metadata.classifiers or ()) > 5
    # All requirements belong to extras. Each extra installs the package of its name, and the sandbox has the same version.
    for requirement in metadata.requires_dist or ():
        assert requirement.marker and "extra ==" in str(requirement.marker)
        if requirement.name == "vitalwire-sandbox":
            assert str(requirement.specifier) == f"=={vitalwire.__version__}"
    if wheel.name == "vitalwire":
        assert set(metadata.provides_extra or ()) == {"arrow", "dask", "dlt", "pandas", "plot", "polars", "progress", "ray", "sandbox", "spark"}
    assert {"homepage", "repository", "documentation", "changelog", "issues"} == {label.lower() for label in metadata.project_urls or ()}
    assert all(url == REPOSITORY or url.startswith(f"{REPOSITORY}/") for url in (metadata.project_urls or {}).values())
    # The author is the group of contributors, not a person.
    assert metadata.author == "The Vitalwire contributors" or not metadata.author
    assert "@" not in wheel.metadata.decode().partition("\n\n")[0]


def test_the_record_lists_every_file(wheel: Wheel) -> None:
    record = f"{wheel.info}/RECORD"
    rows = {name: digest for name, digest, _ in csv.reader(io.StringIO(wheel.files[record].decode()))}
    assert rows.pop(record) == "" and set(rows) == set(wheel.files) - {record}
    for name, digest in rows.items():
        kind, _, text = digest.partition("=")
        assert kind == "sha256" and text == base64.urlsafe_b64encode(hashlib.sha256(wheel.files[name]).digest()).rstrip(b"=").decode()


def test_a_wheel_contains_exactly_the_expected_files(wheel: Wheel) -> None:
    for name, text in licence_texts(wheel.name).items():
        assert wheel.files[f"{wheel.info}/licenses/{name}"] == text
    module = wheel.name.replace("-", "_")
    assert f"{module}/py.typed" in wheel.files
    others = [name for name in wheel.files if not name.startswith(wheel.info) and not name.endswith((".py", ".pyi", "/py.typed"))]
    programs = [name for name in others if re.fullmatch(r"vitalwire_sandbox-[^/]+\.data/scripts/vitalwire(\.exe)?", name)]
    assert others == (wheel.libraries() if module == "vitalwire" else programs) and len(others) == 1
    for name in wheel.files:
        assert "test" not in name.lower() and "__pycache__" not in name and not name.endswith((".rs", ".toml"))


def test_the_notices_name_every_linked_library(wheel: Wheel) -> None:
    notices = wheel.files[f"{wheel.info}/licenses/{NOTICES}"].decode()
    for package in [*LINKED, "pyo3" if wheel.name == "vitalwire" else "rusqlite"]:
        assert re.search(rf"^  {package} \d", notices, re.MULTILINE), package
    assert "Redistributions in binary form must reproduce" in notices and "Rust standard library" in notices
    # Crates that only tests and builds use are not part of a wheel.
    assert not re.search(r"^  (trybuild|jsonschema|rcgen|syn|cc) ", notices, re.MULTILINE)


def test_a_shipped_extension_has_no_probe(wheel: Wheel) -> None:
    # The search must find the probe in the test wheel of `cargo xtask test`. This shows that the search works.
    for name in wheel.libraries():
        assert b"VitalwireError" in wheel.files[name]
        assert (b"Echo probe" in wheel.files[name]) == ("VITALWIRE_PROBE" in os.environ)


def test_the_bill_of_materials_names_every_linked_library(wheel: Wheel) -> None:
    bills = {name: text for name, text in wheel.files.items() if name.startswith(f"{wheel.info}/sboms/")}
    assert list(bills) == [f"{wheel.info}/sboms/{wheel.name}.cyclonedx.json"]
    bill = json.loads(*bills.values())
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", vitalwire.__version__)
    known = {component["bom-ref"]: component for component in bill["components"]}
    assert {"reqwest", "rustls", "ring", "vitalwire"} <= {component["name"] for component in known.values()}
    # Crates without a hash are not from the registry, so they must be those of this workspace.
    assert not [component for component in known.values() if "hashes" not in component and not component["name"].startswith("vitalwire")]
    known[bill["metadata"]["component"]["bom-ref"]] = bill["metadata"]["component"]
    for dependency in bill["dependencies"]:
        assert {dependency["ref"], *dependency["dependsOn"]} <= set(known)


@pytest.mark.skipif("VITALWIRE_SHIPPED" not in os.environ, reason="a debug build is ten times as large")
def test_a_shipped_wheel_is_small(wheel: Wheel) -> None:
    limits = {"vitalwire": 6_000_000, "vitalwire-sandbox": 12_000_000}
    assert wheel.path.stat().st_size <= limits[wheel.name]


@pytest.mark.skipif("VITALWIRE_SHIPPED" not in os.environ, reason="a debug build names its sources")
def test_a_shipped_wheel_contains_no_path_of_the_build_machine(wheel: Wheel) -> None:
    assert any(b"/cargo/" in text for text in wheel.files.values())
    for text in wheel.files.values():
        assert b".cargo" not in text and os.fsencode(ROOT) not in text and os.fsencode(pathlib.Path.home()) + b"/" not in text


#: First steps of a user who has no settings and no program `vitalwire` on PATH.
FIRST = """
import os, sys, vitalwire, vitalwire_sandbox
assert not os.environ.get("PATH") and vitalwire_sandbox.program().startswith(sys.prefix)
with vitalwire.Sandbox(seed=7) as sandbox:
    night = sandbox.client().sleeps.get(sandbox.sleep_id)
    print(night.sleep_date == sandbox.sleep_date)
"""


#: Environment variables of the user whose first steps are `FIRST`.
SHELL = {"SYSTEMROOT": os.environ["SYSTEMROOT"]} if sys.platform == "win32" else {}


@pytest.fixture(scope="module")
def user_environment(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Returns the programs of an environment with only the two wheels."""
    environment = tmp_path_factory.mktemp("user")
    venv.create(environment, with_pip=True)
    folder = environment / ("Scripts" if sys.platform == "win32" else "bin")
    # Installs without a package index, because only the two wheels are needed.
    install = [str(folder / "python"), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    subprocess.run([*install, "--find-links", str(WHEELS), "vitalwire[sandbox]"], check=True)
    return folder


def test_the_sandbox_extra_installs_the_program(user_environment: pathlib.Path) -> None:
    said = subprocess.run([user_environment / "python", "-I", "-c", FIRST], env=SHELL, capture_output=True, text=True, check=False)
    assert (said.stdout, said.stderr) == ("True\n", "")
    asked = subprocess.run([user_environment / "python", "-I", "-m", "vitalwire_sandbox", "--version"], env=SHELL, capture_output=True, text=True)
    assert asked.stdout == f"vitalwire {vitalwire.__version__}\n"


@pytest.mark.parametrize("command", [["vitalwire"], ["python", "-I", "-m", "vitalwire_sandbox"]], ids=" ".join)
def test_the_demo_runs_without_a_build(user_environment: pathlib.Path, command: list[str]) -> None:
    run = [str(user_environment / command[0]), *command[1:], "demo", "--seed", "7", "--today", "2025-11-21"]
    said = subprocess.run(run, env=SHELL, capture_output=True, encoding="utf-8", check=False)
    assert (said.returncode, said.stderr) == (0, "")
    # The demo has ten screens and an end. Each heading says that the data are synthetic.
    headings = [line for line in said.stdout.splitlines() if "──" in line and line.endswith(" synthetic data")]
    assert len(headings) == 11 and headings[-1].startswith("The end ")


def test_the_installed_package_is_the_built_one() -> None:
    installed = importlib.metadata.distribution("vitalwire")
    said = installed.read_text("WHEEL")
    assert said
    (built,) = [wheel for wheel in map(Wheel, WHEELS.glob("vitalwire-*.whl")) if wheel.files[f"{wheel.info}/WHEEL"].decode() == said]
    for name, text in built.files.items():
        if not name.startswith(built.info):
            assert pathlib.Path(str(installed.locate_file(name))).read_bytes() == text
