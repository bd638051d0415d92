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
from collections import defaultdict
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

try:
    import sqlite3
except ImportError:
    print("skipped: this Python has no sqlite3")
    sys.exit(77)

BURSAR, PROJECT = sys.argv[1:3]
EXAMPLES = pathlib.Path(PROJECT) / "scenarios/examples"
SCENARIO = EXAMPLES / "reserved-mix.yaml"
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
            expected[cell[key]] = (round(cost + float(cell["cost_usd"]), 6), round(hours + float(cell["gpu_hours"]), 6))
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
        self.assertEqual([name for name, _, _ in rows], ["commitment/cloud", "reservation/base"])
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
        self.assertLessEqual(rows, len(self.cells) * 2)  # by month


class MonthsAndTenants(unittest.TestCase):
    """By month and by tenant the file is the bill, to the last digit, however idle time is shared."""

    def check(self, scenario, *settings, zone="UTC"):
        self.zone = ZoneInfo(zone)
        with tempfile.TemporaryDirectory() as folder:
            sets = [word for setting in settings for word in ("--set", setting)]
            command = [BURSAR, "run", EXAMPLES / scenario, "--out", folder, "--files", "result", *sets]
            subprocess.run(command, check=True, capture_output=True)
            for sharing, version in (("none", "1.2"), ("even", "1.2"), ("usage", "1.2"), ("usage", "1.3")):
                with self.subTest(scenario=scenario, sharing=sharing, version=version):
                    self.compare(folder, "--share-idle", sharing, "--focus-version", version)

    def local(self, instant):
        return datetime.fromisoformat(instant.replace("Z", "+00:00")).astimezone(self.zone)

    def compare(self, folder, *options):
        out = pathlib.Path(folder) / "out"
        command = [BURSAR, "report", folder, "--out", out, "--files", "json,focus", *options]
        subprocess.run(command, check=True, capture_output=True)
        bill = json.loads((out / "summary.json").read_text(encoding="utf-8"), parse_float=Decimal, parse_int=Decimal)
        billed, charged, tenants = defaultdict(Decimal), defaultdict(Decimal), defaultdict(Decimal)
        begins = set()
        with open(out / "focus.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                cost = Decimal(row["EffectiveCost"])
                if row["x_LeafGroup"] == "other_cost" or not cost:
                    continue
                begin = self.local(row["BillingPeriodStart"])
                begins.add(begin)
                billed[f"{begin:%Y-%m}"] += cost
                charged[f"{self.local(row['ChargePeriodStart']):%Y-%m}"] += cost
                no_tenant = "__idle__" if row["x_LeafGroup"] == "idle" else "__platform__"
                tenants[row["SubAccountName"] or row.get("AllocatedResourceName") or no_tenant] += cost
        self.assertEqual(dict(tenants), {row["tenant"]: row["cost"] for row in bill["tenants"] if row["cost"]})
        self.assertEqual(billed, charged)
        months = {row["month"]: row["cost"] for row in bill["months"]}
        if not months:
            return
        beyond = months.pop(None, 0)
        for begin in begins:
            if f"{begin:%Y-%m}" in months:
                self.assertEqual(f"{begin:%d %H:%M:%S}", "01 00:00:00")
        self.assertEqual({month: billed.pop(month, 0) for month in months}, months)
        self.assertEqual(sum(billed.values()), beyond)

    def test_a_term_of_a_year(self):
        reserved = ("until=22 d", "fleet.owned.purchase=reserved", "fleet.owned.term=1 y")
        self.check("planning/month.yaml", *reserved)

    def test_months_of_a_measured_part(self):
        self.check("philly.yaml", "policy.head=skip")

    def test_launched_nodes_terms_and_commitments(self):
        self.check("reserved-mix.yaml", "workload.synthetic.jobs=600")

    def test_months_of_a_calendar(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.csv"
            rows = ("submit,duration,gpus", "2024-10-03 08:15:23,86400,8", "2024-10-20 10:20:00,200000,8")
            trace.write_text("\n".join(rows) + "\n", encoding="utf-8")
            base = (
                "bursar: 1\nworkload: {trace: {file: trace.csv}}\n"
                "fleet: [{pool: p, purchase: reserved, term: 60 d, gpu: H100, nodes: 1, gpus_per_node: 8, price: 2 USD/gpu-h}]\n"
            )
            for zone, more in (
                ("UTC", "calendar: UTC\n"),
                ("America/New_York", "calendar: America/New_York\n"),
                ("America/New_York", "calendar: America/New_York\nuntil: 35 d\n"),
                ("Asia/Kolkata", "calendar: Asia/Kolkata\nuntil: 35 d\n"),
                ("UTC", "budgets: [{limit: 9 USD, per: month}]\n"),
            ):
                scenario = pathlib.Path(folder) / "scenario.yaml"
                scenario.write_text(base + more, encoding="utf-8")
                self.check(scenario, zone=zone)

    def test_drawn_prices(self):
        self.check("multi-cloud.yaml")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
