"""The notes of what the Makefile's lines take: status, notes, table."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SHELL = Path(__file__).with_name("timed_shell")


class TestTimedShell(unittest.TestCase):
    def run_line(
        self, line: str, notes: Path | None, target: tuple[str, ...] = ("check-x",)
    ) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name != "TILESIGHT_TIMES"}
        if notes is not None:
            environment["TILESIGHT_TIMES"] = str(notes)
        command = [SHELL, *target, "-c", line]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def test_output_and_status_are_those_of_the_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for notes in (None, Path(folder) / "new" / "times.tsv"):
                done = self.run_line("echo one; exit 3", notes)
                self.assertEqual((done.stdout, done.returncode), ("one\n", 3))

    def test_a_line_that_calls_make_is_noted_apart(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "times.tsv"
            self.run_line("true", notes)
            self.run_line("true make", notes)
            kinds = [line.split("\t")[:2] for line in notes.read_text(encoding="utf-8").splitlines()]
            self.assertEqual(kinds, [["check-x", "own"], ["check-x", "nested"]])
            table = subprocess.run([SHELL, "--print", notes], capture_output=True, text=True, check=True).stdout
        self.assertIn("check-x (calls make)", table)

    def test_make_before_3_82_passes_the_line_alone(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "times.tsv"
            done = self.run_line("echo one; exit 3", notes, target=())
            self.assertEqual((done.stdout, done.returncode), ("one\n", 3))
            self.assertEqual(notes.read_text(encoding="utf-8").split("\t")[0], "make")


if __name__ == "__main__":
    unittest.main()
