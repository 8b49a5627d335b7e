"""The bill of materials of a release, as CycloneDX 1.6 in JSON.

Input: a release with its components. Output: a document whose serial number and time follow from
the commit. `problems` checks a document against what the schema requires of the fields that are
used.
"""

from __future__ import annotations

import datetime
import json
import re
import uuid
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dist.components import Component
    from dist.release import Release


SCHEMA = "http://cyclonedx.org/schema/bom-1.6.schema.json"
# Lists of the schema.
KINDS = {"application", "library", "data", "machine-learning-model", "file", "framework", "container"}
LENGTHS = {"SHA-1": 40, "SHA-256": 64, "SHA-384": 96, "SHA-512": 128}


def document(release: Release, components: list[Component], edges: dict[str, list[str]]) -> str:
    """The document as JSON text."""
    root = f"pkg:generic/tilesight@{release.version}"
    listed = [component(one) for one in sorted(components, key=lambda one: one.ref)]
    known = {one["bom-ref"] for one in listed}
    depends = [{"ref": root, "dependsOn": sorted(known)}]
    depends += [{"ref": ref, "dependsOn": edges[ref]} for ref in sorted(edges)]
    main: dict[str, Any] = {
        "type": "application",
        "bom-ref": root,
        "name": "tilesight",
        "version": release.version,
        "purl": root,
    }
    main["licenses"] = [{"expression": "MIT OR Apache-2.0"}]
    main["properties"] = [
        {"name": "tilesight:commit", "value": release.commit},
        {"name": "tilesight:platform", "value": release.platform},
    ]
    time = datetime.datetime.fromtimestamp(release.epoch, datetime.timezone.utc)
    tools = {"components": [{"type": "application", "name": "scripts/dist", "version": release.version}]}
    bom = {"$schema": SCHEMA, "bomFormat": "CycloneDX", "specVersion": "1.6"}
    bom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{root}#{release.commit}/{release.platform}')}"
    bom |= {
        "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "tools": tools, "component": main},
    }
    return json.dumps(bom | {"components": listed, "dependencies": depends}, indent=1, ensure_ascii=False) + "\n"


def component(one: Component) -> dict[str, Any]:
    """A component as the document has it."""
    entry: dict[str, Any] = {"type": one.kind, "bom-ref": one.ref, "name": one.name, "version": one.version}
    if one.hashes:
        entry["hashes"] = [{"alg": algorithm, "content": value} for algorithm, value in one.hashes]
    entry["licenses"] = [{"expression": one.licence}]
    if one.purl:
        entry["purl"] = one.purl
    return entry | {"properties": [{"name": "tilesight:part", "value": part} for part in one.parts]}


def origin(bom: dict[str, Any]) -> dict[str, Any]:
    """The commit that a document is of, and its time."""
    named = {one["name"]: one["value"] for one in bom["metadata"]["component"]["properties"]}
    time = datetime.datetime.fromisoformat(bom["metadata"]["timestamp"].replace("Z", "+00:00"))
    return {"commit": named["tilesight:commit"], "epoch": int(time.timestamp())}


def problems(bom: dict[str, Any]) -> list[str]:
    """Lists what is wrong with a document."""
    found = (
        [] if (bom.get("bomFormat"), bom.get("specVersion")) == ("CycloneDX", "1.6") else ["it is not CycloneDX 1.6"]
    )
    if not re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bom.get("serialNumber", "")):
        found.append("the serial number is not a UUID")
    refs = [one.get("bom-ref") for one in [bom["metadata"]["component"], *bom["components"]]]
    found += [f"{ref} is there twice" for ref in sorted({ref for ref in refs if refs.count(ref) > 1})]
    for one in bom["components"]:
        found += [f"{one.get('name')}: {fault}" for fault in faults(one)]
    for edge in bom["dependencies"]:
        found += [f"{ref} is not a component" for ref in [edge["ref"], *edge["dependsOn"]] if ref not in set(refs)]
        if len(set(edge["dependsOn"])) != len(edge["dependsOn"]):
            found.append(f"{edge['ref']} depends on something twice")
    return found


def faults(one: dict[str, Any]) -> list[str]:
    """Lists what is wrong with a component."""
    found = [] if one.get("type") in KINDS else [f"there is no type {one.get('type')}"]
    found += [f"it has no {field}" for field in ("bom-ref", "name", "version") if not one.get(field)]
    found += [
        f"its hash {hash['alg']} has another length"
        for hash in one.get("hashes", [])
        if len(hash["content"]) != LENGTHS.get(hash["alg"])
    ]
    if "/" in one["licenses"][0]["expression"]:
        found.append("its licence is not an SPDX expression")
    return found
