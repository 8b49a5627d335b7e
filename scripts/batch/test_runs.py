"""Tests of the figures of a run, on commands whose figures are known."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

from batch import runs


class Runs(unittest.TestCase):
    """Real processes."""

    def test_processor_time_is_that_of_all_children(self) -> None:
        busy = "import sys, time\nsys.stdin.read()\nwhile time.process_time() < 0.4: pass"
        shell = ["sh", "-c", f"{sys.executable} -c '{busy}' & {sys.executable} -c '{busy}' < /dev/null & wait"]
        run = runs.measure(shell, 10, ["a"])
        self.assertGreater(run.cpu, 0.7)
        self.assertAlmostEqual(run.core_rate(), 10 / run.cpu)

    def test_lines_are_what_the_command_reads(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            runs.measure(["sh", "-c", f"cat > {out}"], 2, ["a b", "c"])
            self.assertEqual(out.read_text(), "a b\nc\n")

    def test_a_command_that_fails_is_told(self) -> None:
        with self.assertRaisesRegex(runs.RunError, "ended with 3: no"):
            runs.measure(["sh", "-c", "cat > /dev/null; echo no >&2; exit 3"], 1, [])

    def test_memory_is_noted_beside_the_rows_that_are_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rows = Path(folder) / "rows"
            # It ends at once: a last look might else see it give its memory back.
            program = (
                f"import os, time\nkept = bytearray(60 << 20)\nopen({str(rows)!r}, 'w').write('x\\n' * "
                "5)\ntime.sleep(1.3)\nos._exit(0)"
            )
            run = runs.measure([sys.executable, "-c", program], 10, [], watch=rows)
        self.assertTrue(run.memory)
        done, mib = run.memory[-1]
        self.assertEqual(done, 0.5)
        self.assertGreater(mib, 60)
        self.assertIsNone(runs.around(run.memory, 0.9))
        self.assertGreater(runs.around(run.memory, 0.5) or 0, 60)


if __name__ == "__main__":
    unittest.main()
