#!/usr/bin/env python3
"""The bill of three pools, loaded into SQLite as its FOCUS file has it: SQL gets the totals of the other files.

Usage: focus_sql_test.py BURSAR PROJECT. Exits 77 where this Python has no SQLite.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import sqlite3
except ImportError:
    print("skipped: this Python has no sqlite3")
    sys.exit(77)

BURSAR, PROJECT = sys.argv[1:3]
SCENARIO = pathlib.Path(PROJECT) / "scenarios/examples/reserved-mix.yaml"
AS_NUMBERS = ("Cost", "Quantity", "UnitPrice")


def load(path):
    """The rows of a CSV file as a table; what are numbers as such."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    table = sqlite3.connect(":memory:")
    types = ["NUMERIC" if name.endswith(AS_NUMBERS) else "TEXT" for name in header]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(header, types))
    table.execute(f"CREATE TABLE focus ({columns})")
    marks = ", ".join("?" for _ in header)
    table.executemany(f"INSERT INTO focus VALUES ({marks})", [[field or None for field in row] for row in rows])
    return table


class FocusInSql(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        out = pathlib.Path(cls.folder.name)
        subprocess.run([BURSAR, "run", SCENARIO, "--out", out, "--files", "json,csv,focus"], check=True, capture_output=True)
        cls.summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        with open(out / "gpu_hours.csv", newline="", encoding="utf-8") as file:
            cls.cells = list(csv.DictReader(file))
        cls.table = load(out / "focus.csv")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def total(self, sql):
        return self.table.execute(f"SELECT ROUND(SUM({sql}), 6) FROM focus").fetchone()[0]

    def by(self, column, key, where="x_Leaf IS NOT NULL"):
        """Dollars and GPU-hours by a column of the FOCUS file, and by one of gpu_hours.csv."""
        found = {
            name or "": (cost, hours or 0)
            for name, cost, hours in self.table.execute(
                f"SELECT {column}, ROUND(SUM(EffectiveCost), 6), "
                "ROUND(SUM(CASE ChargeCategory WHEN 'Usage' THEN PricingQuantity END), 6) "
                f"FROM focus WHERE {where} GROUP BY {column}"
            )
        }
        expected = {}
        for cell in self.cells:
            cost, hours = expected.get(cell[key], (0, 0))
            expected[cell[key]] = (round(cost + float(cell["cost"]), 6), round(hours + float(cell["gpu_hours"]), 6))
        self.assertEqual(found, expected)
        return len(found)

    def test_totals(self):
        self.assertEqual(self.total("BilledCost"), self.summary["cost"]["total"])
        self.assertEqual(self.total("EffectiveCost"), self.summary["cost"]["total"])
        self.assertEqual(
            self.total("CASE WHEN ChargeCategory = 'Usage' AND PricingUnit = 'GPU-Hours' THEN PricingQuantity END"),
            self.summary["gpu_hours"]["paid"],
        )

    def test_pools(self):
        self.assertEqual(self.by("ResourceName", "pool"), 3)

    def test_tenants(self):
        self.assertGreater(self.by("SubAccountName", "tenant"), 5)

    def test_leaves(self):
        self.assertGreater(self.by("x_Leaf", "leaf"), 5)

    def test_purchases(self):
        self.assertEqual(self.by("x_PurchaseOption", "purchase"), 3)

    def test_commitments_are_paid_as_they_are_used(self):
        rows = self.table.execute(
            "SELECT CommitmentDiscountId, "
            "ROUND(SUM(CASE ChargeCategory WHEN 'Usage' THEN EffectiveCost END), 6), "
            "ROUND(SUM(CASE ChargeCategory WHEN 'Purchase' THEN BilledCost END), 6) "
            "FROM focus WHERE CommitmentDiscountId IS NOT NULL GROUP BY CommitmentDiscountId"
        ).fetchall()
        self.assertEqual(len(rows), 1)
        for _, used, bought in rows:
            self.assertEqual(used, bought)

    def test_days_add_up(self):
        days = self.table.execute(
            "SELECT SUBSTR(ChargePeriodStart, 1, 10), SUM(BilledCost) FROM focus GROUP BY 1"
        ).fetchall()
        self.assertGreater(len(days), 10)
        self.assertEqual(round(sum(cost for _, cost in days), 6), self.summary["cost"]["total"])

    def test_roundings_are_fractions_of_a_cent(self):
        largest, rows = self.table.execute(
            "SELECT MAX(ABS(BilledCost)), COUNT(*) FROM focus WHERE ChargeCategory = 'Adjustment'"
        ).fetchone()
        self.assertLess(largest, 0.001)
        self.assertLessEqual(rows, len(self.cells))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
