"""The workflows of the forge: what they call is there, and what they may do is little."""

from __future__ import annotations

import io
import json
import re
import unittest
from contextlib import redirect_stdout
from unittest import mock

import workflow

MADE_UP = """\
on: push

jobs:
  one:
    runs-on: here
    steps:
      - uses: actions/checkout@v4
        with:
          path: elsewhere
      - name: Both
        run: |
          echo first
          echo second
      - name: Elsewhere
        if: runner.os == 'Plan9'
        run: exit 1
  two:
    steps:
      - run: make test
"""
FILES = sorted(workflow.FOLDER.glob("*.yml"))
MAKEFILE = (workflow.ROOT / "Makefile").read_text()


class Workflows(unittest.TestCase):
    def test_steps_are_found(self) -> None:
        found = workflow.jobs(MADE_UP)
        self.assertEqual(list(found), ["one", "two"])
        checkout, both, elsewhere = workflow.steps(found["one"])
        self.assertEqual((checkout.name, checkout.keys["with"]), ("actions/checkout@v4", "path: elsewhere\n"))
        self.assertEqual(both.keys["run"], "echo first\necho second\n")
        self.assertEqual([step.is_for("Linux") for step in (both, elsewhere)], [True, False])
        self.assertEqual(workflow.steps(found["two"])[0].keys, {"run": "make test"})

    def test_steps_run_until_one_fails(self) -> None:
        ends = [mock.Mock(returncode=0), mock.Mock(returncode=3)]
        one, two = (workflow.Step({"name": name, "run": name}) for name in ("a", "b"))
        with (
            mock.patch.object(workflow, "read", return_value=[one, two, one]),
            mock.patch("subprocess.run", side_effect=ends) as run,
            redirect_stdout(io.StringIO()),
            self.assertRaisesRegex(SystemExit, "b ended with 3"),
        ):
            workflow.main(["any", "job"])
        self.assertEqual([call.args[0][-1] for call in run.call_args_list], ["a", "b"])

    def test_called_targets_and_scripts_exist(self) -> None:
        for file in FILES:
            for job, lines in workflow.jobs(file.read_text()).items():
                commands = "\n".join(step.keys.get("run", "") for step in workflow.steps(lines))
                for targets in re.findall(r"^make ([\w -]+)$", commands, re.MULTILINE):
                    for target in targets.split():
                        self.assertRegex(MAKEFILE, rf"(?m)^{target}:", f"{file.name}, {job}")
                for script in re.findall(r"scripts/[\w./-]+", commands):
                    self.assertTrue((workflow.ROOT / script).exists(), f"{file.name}, {job}: {script}")
                # What a forge fills in would be code here.
                self.assertNotIn("${{", commands, f"{file.name}, {job}")

    def test_they_may_only_read_except_the_one_that_publishes(self) -> None:
        for file in FILES:
            text = file.read_text()
            self.assertIn("\npermissions:\n  contents: read\n", text, file.name)
            writing = [job for job, lines in workflow.jobs(text).items() if "      contents: write" in lines]
            self.assertEqual(writing, ["publish"] if file.stem == "release" else [], file.name)
            for job, lines in workflow.jobs(text).items():
                self.assertTrue(any("timeout-minutes" in line for line in lines), f"{file.name}, {job}")

    def test_every_platform_with_a_runtime_is_packed(self) -> None:
        pins = json.loads((workflow.ROOT / "scripts" / "onnxruntime.json").read_text())["platforms"]
        packed = re.findall(r"platform: ([\w-]+),", (workflow.FOLDER / "release.yml").read_text())
        self.assertEqual(set(packed), set(pins))


if __name__ == "__main__":
    unittest.main()
