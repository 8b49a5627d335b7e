"""The tournament's table with its points: rows that are right, and rows that are not."""

from __future__ import annotations

import csv
import io
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path

import import_scores

HERE = Path(__file__).parent


def run(deals: Path, *more: str):
    """The exit code, the messages and the tables that are written."""
    with tempfile.TemporaryDirectory() as folder:
        out, standings = Path(folder) / "out.csv", Path(folder) / "standings.csv"
        printed = io.StringIO()
        with redirect_stderr(printed):
            code = import_scores.main([str(deals), "--out", str(out), "--standings", str(standings), *more])
        tables = [list(csv.DictReader(file.read_text().splitlines())) for file in (out, standings)]
        return code, printed.getvalue(), *tables


class Tables(unittest.TestCase):
    def test_each_deal_has_its_points(self) -> None:
        code, said, rows, standings = run(HERE / "deals.csv")
        self.assertEqual(code, 1)
        self.assertEqual([row["total"] for row in rows[:3]], ["23", "20", "0"])
        # West won by North's discard: 20 points from North, and 8 from everybody.
        self.assertEqual([rows[1][f"{seat}_points"] for seat in "ESWN"], ["-8", "-8", "44", "-28"])
        for row in rows:
            self.assertEqual(sum(int(row[f"{seat}_points"] or 0) for seat in "ESWN"), 0)
            self.assertEqual(row["problem"] == "", row["total"] != "" and row["E_points"] != "")
        # The hand of the last row wins nothing.
        self.assertEqual(said, "table 2, deal 2: the winning tile is missing\n")
        self.assertEqual([rows[1]["table"], rows[1]["hand"]], ["1", "1123456789m222s1m"])
        self.assertEqual(sum(int(row["points"]) for row in standings), 0)
        self.assertEqual(standings, sorted(standings, key=lambda row: -int(row["points"])))

    def test_faults_are_printed_for_each_row(self) -> None:
        rows = [
            "1,1,a,b,c,d,E,S,S,123456789m11pFFF",
            "1,2,a,b,c,d,E,X,,123456789m11pFFF",
            "1,3,a,b,c,d,Q,S,,123456789m11pFFF",
            "1,4,a,b,c,d,E,S,,1x",
        ]
        with tempfile.TemporaryDirectory() as folder:
            deals = Path(folder) / "deals.csv"
            # As a spreadsheet writes it.
            deals.write_text("\n".join([",".join(import_scores.NEEDED), *rows]), encoding="utf-8-sig")
            code, said, rows, _ = run(deals)
            self.assertEqual((code, len(said.splitlines())), (1, 4))
            self.assertTrue(all(row["problem"] and not row["total"] for row in rows), rows)
            deals.write_text("table,deal\n1,1\n")
            with self.assertRaisesRegex(SystemExit, "no column E, S"):
                run(deals)

    def test_other_rules_settle_by_their_own(self) -> None:
        _, _, rows, _ = run(HERE / "deals.csv", "--rules", "hk-old")
        self.assertEqual(sum(int(rows[0][f"{seat}_points"]) for seat in "ESWN"), 0)
        self.assertNotEqual(rows[0]["total"], "23")


if __name__ == "__main__":
    unittest.main()
