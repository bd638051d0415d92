#!/usr/bin/env python3
"""bill.xlsx as a spreadsheet reads it: the figures of summary.json, sums that it works out, names as text.

    bill_xlsx_test.py PROGRAM ROOT

Exits with 77, the test's code for skipped, where bursar was built without the library for it.
"""

import csv
import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2])
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = ("=cmd()|'/C calc'!A0", "+1", "@SUM(A1)", "two\nlines", "\u202egnp.exe", "<b>&\"", "x" * 40_000)


def run(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)


def column_of(place):
    return place.rstrip("0123456789")


class Workbook:
    """The cells of every sheet: {"A1": (value, formula)}."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as book:
            assert book.testzip() is None
            shared = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
            texts = ["".join(t.text or "" for t in item.iter(f"{MAIN}t")) for item in shared]
            names = [sheet.get("name") for sheet in ElementTree.fromstring(book.read("xl/workbook.xml")).iter(f"{MAIN}sheet")]
            self.sheets, self.pages = {}, {}
            self.parts = book.namelist()
            self.styles = book.read("xl/styles.xml").decode()
            self.names = {name.get("localSheetId") + name.get("name"): name.text
                          for name in ElementTree.fromstring(book.read("xl/workbook.xml")).iter(f"{MAIN}definedName")}
            for number, name in enumerate(names, 1):
                page = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
                self.pages[name] = page
                self.sheets[name] = {cell.get("r"): self.read(cell, texts) for cell in page.iter(f"{MAIN}c")}

    @staticmethod
    def read(cell, texts):
        value, formula = cell.find(f"{MAIN}v"), cell.find(f"{MAIN}f")
        text = value.text if value is not None else None
        if cell.get("t") == "s":
            return texts[int(text)], None
        return (float(text) if text else None), (formula.text if formula is not None else None)

    def column(self, sheet, title):
        """The values below a title, the sum left out, and the sum with its formula."""
        cells = self.sheets[sheet]
        letter = next(column_of(place) for place, (value, _) in cells.items() if value == title and place.endswith("1"))
        below = {int(place[len(letter):]): cell for place, cell in cells.items() if column_of(place) == letter and place != f"{letter}1"}
        values = [value for _, (value, formula) in sorted(below.items()) if formula is None]
        sums = [(value, formula) for value, formula in below.values() if formula is not None]
        return values, (sums[0] if sums else None)


class BillXlsx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = Path(scratch.name)
        done = run("run", ROOT / "scenarios/examples/reserved-mix.yaml", "--out", cls.scratch,
                   "--files", "xlsx,json,csv,result")
        assert done.returncode == 0, done.stderr
        cls.summary = json.loads((cls.scratch / "summary.json").read_text(encoding="utf-8"))
        cls.book = Workbook(cls.scratch / "bill.xlsx")

    def hold_sum(self, sheet, title, total):
        values, (shown, formula) = self.book.column(sheet, title)
        self.assertEqual(round(sum(value for value in values if value is not None), 6), total)
        self.assertEqual(shown, total)
        letter = formula.removeprefix("SUM(")[0]
        rows = max(int(place[1:]) for place in self.book.sheets[sheet] if place.startswith(letter)) - 1
        self.assertEqual(formula, f"SUM({letter}2:{letter}{rows})")

    def test_every_sheet_adds_up(self):
        cost, hours = self.summary["cost"], self.summary["gpu_hours"]["paid"]
        self.hold_sum("Bill", "USD", cost["total"])
        for sheet in ("Pools", "Tenants"):
            self.hold_sum(sheet, "USD", cost["paid"])
        for sheet in ("Bill", "Pools", "Tenants"):
            self.hold_sum(sheet, "GPU-hours", hours)

    def test_the_summary_begins_with_the_total_and_prints_on_one_page(self):
        cells = self.book.sheets["Summary"]
        self.assertEqual(next(iter(self.book.sheets)), "Summary")
        self.assertEqual(cells["A2"][0], round(self.summary["cost"]["total"], 2))
        groups = [row for row in range(1, 60) if cells.get(f"A{row}", ("",))[0] == "total"]
        self.assertEqual(cells[f"B{groups[0]}"][0], cells["A2"][0])
        self.assertTrue(cells[f"B{groups[0]}"][1].startswith("SUM(B"))
        shown = {value for value, _ in cells.values()}
        self.assertTrue({"Where the money went", "Pools", "Tenants", "Months"} <= shown, shown)
        self.assertGreaterEqual(sum(part.startswith("xl/charts/chart") for part in self.book.parts), 3)
        for name, page in self.book.pages.items():
            setup = page.find(f"{MAIN}pageSetup")
            self.assertEqual(setup.get("orientation"), "landscape", name)
            self.assertEqual(page.find(f"{MAIN}sheetPr/{MAIN}pageSetUpPr").get("fitToPage"), "1")
            self.assertEqual(setup.get("fitToHeight"), None if name == "Summary" else "0")
        repeated = [text for name, text in self.book.names.items() if name.endswith("Print_Titles")]
        self.assertEqual(len(repeated), len(self.book.pages) - 1)
        self.assertIn("[$$-409]#,##0.00", self.book.styles)

    def test_a_unit_does_not_touch_its_number(self):
        formats = ElementTree.fromstring(self.book.styles).find(f"{MAIN}cellXfs")
        cells = {cell.get("r"): cell for cell in self.book.pages["Metrics"].iter(f"{MAIN}c")}
        for place in ("C1", "C2"):
            alignment = formats[int(cells[place].get("s"))].find(f"{MAIN}alignment")
            self.assertEqual(alignment.get("indent"), "1")

    def test_rows_of_nothing_are_left_out(self):
        for sheet in ("Bill", "Pools", "Tenants"):
            values = self.book.column(sheet, "USD")[0]
            self.assertTrue(all(value > 0 for value in values), sheet)

    def test_leaves_and_cells_are_those_of_the_files(self):
        leaves = dict(zip(self.book.column("Bill", "leaf")[0], self.book.column("Bill", "USD")[0]))
        for leaf, cost in self.summary["cost"]["by_leaf"].items():
            self.assertEqual(leaves.get(leaf, 0), cost)
        with open(self.scratch / "gpu_hours.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(self.book.column("Data", "USD")[0], [float(row["cost_usd"]) for row in rows])
        self.assertEqual(self.book.column("Data", "leaf")[0], [row["leaf"] for row in rows])

    def test_equal_results_are_equal_files(self):
        books = []
        for name in ("a.xlsx", "b.xlsx"):
            with open(self.scratch / name, "wb") as file:
                subprocess.run([PROGRAM, "report", self.scratch / "result.json", "--format", "xlsx"], stdout=file, check=True)
            books.append((self.scratch / name).read_bytes())
        self.assertEqual(books[0], books[1])
        self.assertEqual(books[0], (self.scratch / "bill.xlsx").read_bytes())

    def test_names_are_text(self):
        rows = ["job,submit,duration,gpus,tenant"]
        for i, name in enumerate(HOSTILE):
            quoted = '"' + name.replace('"', '""') + '"'
            rows.append(f"{i},{i * 60},600,1,{quoted}")
        (self.scratch / "trace.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        (self.scratch / "hostile.yaml").write_text(
            "bursar: 1\nname: '=1+1'\nworkload: {trace: {file: trace.csv, format: csv}}\n"
            "fleet: [{pool: t4, gpu: T4, nodes: 1, gpus_per_node: 8, purchase: on-demand, price: 1 USD/gpu-h}]\n",
            encoding="utf-8")
        done = run("run", self.scratch / "hostile.yaml", "--out", self.scratch / "h", "--files", "xlsx")
        self.assertEqual(done.returncode, 0, done.stderr)
        book = Workbook(self.scratch / "h/bill.xlsx")
        tenants = book.column("Tenants", "tenant")[0]
        self.assertIn(HOSTILE[0], tenants)
        self.assertIn("two\\nlines", tenants)
        self.assertIn("\\u202egnp.exe", tenants)
        for cells in book.sheets.values():
            for _, formula in cells.values():
                self.assertTrue(formula is None or formula.startswith("SUM("))


if __name__ == "__main__":
    if "xlsx" not in run("report", "--help").stdout.split("\n  --format ", 1)[1].split("\n", 1)[0]:
        print("bursar was built without libxlsxwriter")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]])
