"""The notebook, cell by cell, as a notebook runs it from the top."""

from __future__ import annotations

import io
import json
import unittest
from contextlib import redirect_stdout
from pathlib import Path

NOTEBOOK = json.loads((Path(__file__).parent / "fans.ipynb").read_text())


class Notebook(unittest.TestCase):
    def test_every_cell_runs_and_fans_are_plotted(self) -> None:
        names, printed = {}, io.StringIO()
        cells = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
        with redirect_stdout(printed):
            for cell in cells:
                exec(compile("".join(cell["source"]), f"{cell['id']} of fans.ipynb", "exec"), names)
        self.assertEqual(len(printed.getvalue().splitlines()), 10)
        self.assertEqual(len(names["readings"]), 10)
        self.assertGreater(len(names["scored"]), 5)
        bars = [axis.patches for axis in names["figure"].axes]
        self.assertEqual([len(one) for one in bars], [len(names["names"])] * 2)
        self.assertEqual(sum(bar.get_width() for bar in bars[1]), sum(names["points"].values()))

    def test_it_is_stored_without_what_it_printed(self) -> None:
        for cell in NOTEBOOK["cells"]:
            self.assertFalse(cell.get("outputs") or cell.get("execution_count"), cell["id"])


if __name__ == "__main__":
    unittest.main()
