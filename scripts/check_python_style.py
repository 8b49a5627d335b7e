"""Checks the style and the types of all Python: ruff's format and lints, pyright's types.

Input: ruff.toml, pyrightconfig.json and the files of the checkout. Output: findings, and exit code
1 if there is one. Modules of third parties need not be installed: those that pyright does not find
have to be in `THIRD_PARTY`, so that a missing module of our own is an error. It runs in the
environment of scripts/requirements-style.txt.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Modules that scripts import where they have installed them; clients/check.py generates one.
THIRD_PARTY = {
    "MahjongGB",
    "PIL",
    "bpy",
    "bpy_extras",
    "cv2",
    "fontTools",
    "mathutils",
    "numpy",
    "onnx",
    "onnxruntime",
    "pillow_heif",
    "schemathesis",
    "tilesight_client",
    "torch",
}


def main() -> int:
    commands = [["ruff", "format", "--check", "--quiet"], ["ruff", "check", "--quiet"]]
    codes = [subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode for command in commands]
    findings = check_types()
    print(*findings, sep="\n", end="\n" if findings else "")
    return 1 if any(codes) or findings else 0


def check_types() -> list[str]:
    """Returns a line for each finding of pyright that counts."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"check_python_style: pyright failed:\n{done.stdout}{done.stderr}")
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [describe(one) for one in found if not is_of_a_third_party(one)]


def is_of_a_third_party(finding: dict) -> bool:
    """Tells whether it is an import of a module that need not be installed."""
    module = finding["message"].split('"')[1] if finding.get("rule") == "reportMissingImports" else ""
    return module.split(".")[0] in THIRD_PARTY


def describe(finding: dict) -> str:
    start = finding["range"]["start"]
    file = Path(finding["file"]).relative_to(ROOT)
    rule = finding.get("rule", "syntax")
    return f"{file}:{start['line'] + 1}:{start['character'] + 1}: {finding['message']} ({rule})"


if __name__ == "__main__":
    sys.exit(main())
