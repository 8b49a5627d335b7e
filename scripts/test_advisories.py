"""Tests of scripts/advisories, with programs that answer as the real ones do."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parent / "advisories"
SUMMARY = {"type": "summary", "fields": {"advisories": {"errors": 0, "warnings": 0}}}
CLEAN = {"auditReportVersion": 2, "vulnerabilities": {}, "metadata": {}}


def crate(name: str, severity: str = "error") -> dict[str, Any]:
    """The report of cargo-deny on an advisory."""
    advisory = {"id": name, "package": "somecrate", "title": "it is bad"}
    return {
        "type": "diagnostic",
        "fields": {"advisory": advisory, "code": "vulnerability", "message": "it is bad", "severity": severity},
    }


def package(name: str) -> dict[str, Any]:
    """The report of npm on an advisory for one package, and on a package that depends on it."""
    via = {
        "source": 1,
        "name": "left",
        "title": "it is bad",
        "severity": "high",
        "url": f"https://github.com/advisories/{name}",
    }
    return CLEAN | {"vulnerabilities": {"left": {"via": [via]}, "right": {"via": ["left"]}}}


class Advisories(unittest.TestCase):
    def look(
        self,
        deny: list[dict[str, Any]] | tuple[dict[str, Any]] = (SUMMARY,),
        npm: str | dict[str, Any] = CLEAN,
        listed: list[dict[str, str]] | tuple[Any, ...] = (),
        failing: int = 0,
    ) -> tuple[int, str]:
        """Runs the script beside made-up programs; its exit code and all that it printed."""
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "list.json").write_text(json.dumps({"allowed": list(listed)}))
            answers = {
                "deny": "\n".join(map(json.dumps, deny)),
                "npm": npm if isinstance(npm, str) else json.dumps(npm),
            }
            for name, text in answers.items():
                (folder / f"{name}.txt").write_text(text)
                stream = ">&2" if name == "deny" else ""
                (folder / name).write_text(f'#!/bin/sh\ncat "{folder}/{name}.txt" {stream}\nexit {failing}\n')
                (folder / name).chmod(0o755)
            programs = {"TILESIGHT_ADVISORIES": str(folder / "list.json"), "TILESIGHT_CARGO_DENY": str(folder / "deny")}
            env = os.environ | programs | {"PATH": f"{folder}:{os.environ['PATH']}"}
            done = subprocess.run([sys.executable, SCRIPT], env=env, capture_output=True, text=True, check=False)
            self.assertNotIn("Traceback", done.stderr)
            return done.returncode, done.stdout + done.stderr

    @staticmethod
    def entry(name: str, days: int, reason: str = "it is not reached") -> dict[str, str]:
        return {"id": name, "reason": reason, "until": str(datetime.date.today() + datetime.timedelta(days=days))}

    def test_no_finding_passes(self) -> None:
        self.assertEqual(self.look()[0], 0)
        self.assertEqual(self.look(deny=[crate("RUSTSEC-1", "warning"), SUMMARY])[0], 0)

    def test_findings_are_named(self) -> None:
        for deny, npm, name in [
            ([crate("RUSTSEC-1"), SUMMARY], CLEAN, "RUSTSEC-1: somecrate"),
            ([SUMMARY], package("GHSA-1"), "GHSA-1: left"),
        ]:
            code, output = self.look(deny, npm, failing=1)
            self.assertIn(name, output)
            # A program that failed without a finding could not be asked; that does not hide what
            # the other one found.
            self.assertEqual(code, 1, output)

    def test_an_exception_ends_on_its_day(self) -> None:
        deny, npm = [crate("RUSTSEC-1"), SUMMARY], package("GHSA-1")
        both = [self.entry("RUSTSEC-1", 1), self.entry("GHSA-1", 0)]
        self.assertEqual(self.look(deny, npm, both, failing=1)[0], 0)
        code, output = self.look(deny, npm, [self.entry("RUSTSEC-1", 1), self.entry("GHSA-1", -1)])
        self.assertEqual(code, 1)
        self.assertIn("GHSA-1 was put up with until", output)

    def test_an_entry_needs_a_reason_and_a_day_that_has_not_passed(self) -> None:
        self.assertEqual(self.look(listed=[self.entry("RUSTSEC-1", 1, " ")])[0], 1)
        self.assertEqual(self.look(listed=[self.entry("RUSTSEC-1", -1)])[0], 1)
        code, output = self.look(listed=[self.entry("RUSTSEC-1", 1)])
        self.assertEqual(code, 0)
        self.assertIn("RUSTSEC-1 is put up with and was not found", output)

    def test_a_database_that_cannot_be_asked_is_no_success(self) -> None:
        log = {"type": "log", "fields": {"level": "ERROR", "message": "failed to fetch advisory database"}}
        refused = {"message": "405 Method Not Allowed", "error": {"summary": "", "detail": ""}}
        for deny, npm, why in [
            ([log], CLEAN, "failed to fetch advisory database"),
            ([], CLEAN, "said nothing"),
            ([SUMMARY], refused, "405 Method Not Allowed"),
            ([SUMMARY], "", "npm said nothing"),
        ]:
            code, output = self.look(deny, npm)
            self.assertEqual(code, 2, output)
            self.assertIn("NOT CHECKED", output)
            self.assertIn(why, output)
        # Both fail and name nothing.
        self.assertEqual(self.look(failing=1)[0], 2)

    def test_the_list_that_is_kept_can_be_read(self) -> None:
        for entry in json.loads((SCRIPT.parent / "advisories.json").read_text())["allowed"]:
            datetime.date.fromisoformat(entry["until"])
            self.assertTrue(entry["reason"].strip(), entry)


if __name__ == "__main__":
    unittest.main()
