"""Write models/manifest.json, the one file the program reads before it loads a model.

Purpose: join the models' sidecars with the hashes of their files. Input:
models/{detector,refiner,classifier}.json and their ONNX files; the program also does without a
refiner. Output: models/manifest.json. Invariant: hashes are taken from the files as they lie there;
a file that its own sidecar describes with another hash is refused.

`PYTHONPATH=scripts python3 -m vision.manifest --models models`
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

# What the program needs of each sidecar; the rest (training, metrics) is kept apart for people.
_KEYS = {"detector": ("sizes", "min_width", "stride", "threshold"), "refiner": ("input", "margin"), "classifier": ("input", "margin", "classes", "temperature", "embedding")}


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def section(models: Path, name: str) -> tuple[dict, dict]:
    """The program's part and the training part of one model's entry."""
    side = json.loads((models / f"{name}.json").read_text())
    file = models / side["file"]
    found = digest(file)
    if side.get("sha256", found) != found:
        raise SystemExit(f"{file} is not the file that {name}.json describes: export it again")
    entry = {"file": side["file"], "sha256": found} | {k: side[k] for k in _KEYS[name]}
    return entry, {k: side[k] for k in ("training", "metrics") if k in side}


def main() -> None:
    """Write the manifest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=Path("models"))
    models = parser.parse_args().models
    manifest: dict = {"format": 1}
    training = {}
    for name in _KEYS:
        if name == "refiner" and not (models / "refiner.json").exists():
            continue
        manifest[name], training[name] = section(models, name)
    manifest["training"] = training
    (models / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
