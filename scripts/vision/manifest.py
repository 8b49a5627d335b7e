"""Write models/manifest.json, the one file the program reads before it loads a model.

Purpose: join the models' sidecars with the hashes of their files. Input:
models/{detector,refiner,classifier,large-classifier}.json and their ONNX files; the program also
does without a refiner and without a large classifier. Output: models/manifest.json. Invariant:
hashes are taken from the files as they lie there; a file that its own sidecar describes with
another hash is refused, and so is a large classifier with other crops or classes than the
classifier.

`PYTHONPATH=scripts python3 -m vision.manifest --models models`
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

# What the program needs of each sidecar; the rest (training, metrics) is kept apart for people.
_KEYS = {
    "detector": ("sizes", "min_width", "stride", "threshold"),
    "refiner": ("input", "margin"),
    "classifier": ("input", "margin", "classes", "temperature", "embedding"),
    "large_classifier": ("input", "margin", "classes", "temperature"),
}
_OPTIONAL_KEYS = ("typical",)
_OPTIONAL = ("refiner", "large_classifier")


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sidecar(models: Path, name: str) -> Path:
    """The sidecar of a model."""
    return models / f"{name.replace('_', '-')}.json"


def section(models: Path, name: str) -> tuple[dict, dict]:
    """The program's part and the training part of one model's entry."""
    side = json.loads(sidecar(models, name).read_text())
    file = models / side["file"]
    found = digest(file)
    if side.get("sha256", found) != found:
        raise SystemExit(f"{file} is not the file that {sidecar(models, name).name} describes: export it again")
    entry = {"file": side["file"], "sha256": found} | {k: side[k] for k in _KEYS[name]}
    entry |= {k: side[k] for k in _OPTIONAL_KEYS if k in side}
    return entry, {k: side[k] for k in ("training", "metrics") if k in side}


def write(models: Path) -> None:
    """Write the manifest of a folder of models."""
    manifest: dict = {"format": 1}
    training = {}
    for name in _KEYS:
        if name in _OPTIONAL and not sidecar(models, name).exists():
            continue
        manifest[name], training[name] = section(models, name)
    for key in ("input", "margin", "classes"):
        if "large_classifier" in manifest and manifest["large_classifier"][key] != manifest["classifier"][key]:
            raise SystemExit(f"`{key}` of the large classifier differs from the classifier's: export it again")
    manifest["training"] = training
    (models / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def main() -> None:
    """Write the manifest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=Path("models"))
    write(parser.parse_args().models)


if __name__ == "__main__":
    main()
