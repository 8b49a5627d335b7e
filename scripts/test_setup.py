"""Tests of scripts/setup with a made-up wheel: what it installs, what it refuses, and what it
leaves alone."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any
from unittest import mock

SETUP = Path(__file__).resolve().parent / "setup"


def load_setup() -> Any:
    """The script as a module; it has no `.py` ending, so the loader is named, and no bytecode is
    left beside it."""
    loader = importlib.machinery.SourceFileLoader("tilesight_setup", str(SETUP))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch.object(sys, "dont_write_bytecode", True):
        loader.exec_module(module)
    return module


class SetupTest(unittest.TestCase):
    """Each test has a root of its own with a pin named `onnxruntime` for the platform `test`."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.setup = load_setup()
        self.setup.ROOT = self.root
        self.wheel = self.root / "made.whl"
        with zipfile.ZipFile(self.wheel, "w") as archive:
            archive.writestr("made/lib.so", b"the library")
            archive.writestr("made/helper.so", b"what it loads")
            archive.writestr("made/LICENSE", b"terms")
        self.write_pin()
        self.target = self.root / "there" / "lib.so"

    def write_pin(self, hashed: str | None = None, **changes: str | list[dict[str, str]]) -> None:
        """Write the pin of the made wheel, with `changes` to its platform entry; `hashed` names an
        override's hash."""
        entry = {
            "pip_platform": "any",
            "wheel": self.wheel.name,
            "wheel_sha256": self.setup.sha256(self.wheel),
            "member": "made/lib.so",
            "file": "lib.so",
            "sha256": hashlib.sha256(b"the library").hexdigest(),
        }
        pin = {"package": "made", "version": "1", "directory": "there", "override": "TILESIGHT_TEST_OVERRIDE"}
        pin |= {"override_sha256": hashed} if hashed else {}
        pin |= {"pip": [], "notices": ["made/LICENSE"], "platforms": {"test": entry | changes}}
        (self.root / "scripts").mkdir(exist_ok=True)
        (self.root / "scripts" / "onnxruntime.json").write_text(json.dumps(pin))

    def install(self) -> tuple[Path, bool]:
        """Install with a pip that copies the made wheel."""
        pip = f"import shutil, sys; shutil.copy({str(self.wheel)!r}, sys.argv[sys.argv.index('--dest') + 1])"
        with mock.patch.object(self.setup, "pip_command", lambda scratch: [sys.executable, "-c", pip]):
            return self.setup.install("onnxruntime", "test")

    def test_installs_once_and_then_leaves_it_alone(self) -> None:
        self.assertEqual(self.install(), (self.target, True))
        self.assertEqual(self.target.read_bytes(), b"the library")
        self.assertEqual((self.target.parent / "LICENSE").read_bytes(), b"terms")
        self.assertEqual(self.install(), (self.target, False))

    def test_replaces_a_damaged_file(self) -> None:
        self.install()
        self.target.write_bytes(b"half of it")
        self.assertEqual(self.install(), (self.target, True))
        self.assertEqual(self.target.read_bytes(), b"the library")

    def test_refuses_another_wheel(self) -> None:
        self.write_pin(wheel_sha256="0" * 64)
        with self.assertRaisesRegex(self.setup.SetupError, "made.whl is not the file that was pinned"):
            self.install()
        self.assertFalse(self.target.exists())

    def test_refuses_another_library_and_leaves_nothing_behind(self) -> None:
        self.write_pin(sha256="0" * 64)
        with self.assertRaisesRegex(self.setup.SetupError, "made/lib.so is not the file that was pinned"):
            self.install()
        self.assertEqual([path.name for path in self.target.parent.iterdir()], ["LICENSE"])

    def test_files_beside_a_library_are_installed_with_it(self) -> None:
        helper = {
            "member": "made/helper.so",
            "file": "helper.so",
            "sha256": hashlib.sha256(b"what it loads").hexdigest(),
        }
        self.write_pin(beside=[helper])
        self.assertEqual(self.install(), (self.target, True))
        self.assertEqual(self.install(), (self.target, False))
        beside = self.target.with_name("helper.so")
        for spoil in (beside.unlink, lambda: beside.write_bytes(b"half of it")):
            spoil()
            self.assertEqual(self.install(), (self.target, True))
            self.assertEqual(beside.read_bytes(), b"what it loads")
        self.assertEqual(sorted(path.name for path in self.target.parent.iterdir()), ["LICENSE", "helper.so", "lib.so"])

    def test_a_wrong_file_beside_a_library_stops_the_installation(self) -> None:
        self.write_pin(beside=[{"member": "made/helper.so", "file": "helper.so", "sha256": "0" * 64}])
        with self.assertRaisesRegex(self.setup.SetupError, "made/helper.so is not the file that was pinned"):
            self.install()
        self.assertEqual([path.name for path in self.target.parent.iterdir()], ["LICENSE"])

    def test_an_override_is_used_as_it_is(self) -> None:
        with mock.patch.dict(os.environ, {"TILESIGHT_TEST_OVERRIDE": str(self.wheel)}):
            self.assertEqual(self.install(), (self.wheel, False))

    def test_an_override_is_the_pinned_file_or_the_told_one(self) -> None:
        self.write_pin(hashed="TILESIGHT_TEST_SHA256")
        own, pinned = self.root / "own.so", self.root / "copy.so"
        own.write_bytes(b"my library")
        pinned.write_bytes(b"the library")
        digest = self.setup.sha256(own)
        several = ", ".join(("0" * 64, digest.upper()))
        for path, environment in (
            (pinned, {}),
            (own, {"TILESIGHT_TEST_SHA256": digest}),
            (own, {"TILESIGHT_TEST_SHA256": several}),
        ):
            with mock.patch.dict(os.environ, {"TILESIGHT_TEST_OVERRIDE": str(path), **environment}):
                self.assertEqual(self.install(), (path, False))
        for path, environment in ((own, {}), (pinned, {"TILESIGHT_TEST_SHA256": digest})):
            overridden = mock.patch.dict(os.environ, {"TILESIGHT_TEST_OVERRIDE": str(path), **environment})
            with overridden, self.assertRaisesRegex(self.setup.SetupError, "set TILESIGHT_TEST_SHA256="):
                self.install()

    def test_installed_files_are_writable_by_the_owner_only(self) -> None:
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        self.install()
        self.assertEqual(self.target.stat().st_mode & 0o777, 0o755)

    def test_an_override_that_is_missing_is_an_error(self) -> None:
        overridden = mock.patch.dict(os.environ, {"TILESIGHT_TEST_OVERRIDE": "nowhere"})
        with overridden, self.assertRaisesRegex(self.setup.SetupError, "nowhere is not a file"):
            self.install()

    def test_an_unknown_platform_names_the_override(self) -> None:
        with self.assertRaisesRegex(self.setup.SetupError, "pinned for plan9.*TILESIGHT_TEST_OVERRIDE"):
            self.setup.install("onnxruntime", "plan9")

    def test_the_real_pins_are_whole(self) -> None:
        for name in self.setup.NAMES:
            pin = json.loads(SETUP.with_name(f"{name}.json").read_text())
            platforms = (
                {"linux-x86_64"} if name.endswith("-cuda") else {"linux-x86_64", "linux-aarch64", "macos-aarch64"}
            )
            platforms |= {"windows-x86_64"} if name == "onnxruntime" else set()
            self.assertEqual(set(pin["platforms"]), platforms)
            for entry in pin["platforms"].values():
                for digest in (entry["wheel_sha256"], *(file["sha256"] for file in self.setup.wanted(entry))):
                    self.assertRegex(digest, "^[0-9a-f]{64}$")
                self.assertIn(pin["version"], entry["wheel"])


if __name__ == "__main__":
    unittest.main()
