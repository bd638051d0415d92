#!/usr/bin/env python3
"""What a browser makes of the pages: it draws every chart, says nothing and asks for nothing, with the
script that a program may be built with (BURSAR_INTERACTIVE) or without.

    browser_test.py PROGRAM ROOT [--screenshots FOLDER]

Skipped (exit code 77) where there is no Chromium. With a folder, pictures of the demo's report are left
there: light, dark, at 400 pixels and as on paper.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from headless_browser import Browser, program

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2])
SCREENSHOTS = Path(sys.argv[4]) if len(sys.argv) > 4 else None
CHECKS = Path(__file__).with_name("page_checks.js").read_text(encoding="utf-8")
# Brings every chart of a page with a script into view, and says which has not drawn itself then.
LIVE = """
async () => {
  for (const figure of document.querySelectorAll("figure")) {
    figure.scrollIntoView();
    await new Promise((done) => setTimeout(done, 30));
  }
  await new Promise((done) => setTimeout(done, 300));
  return [...document.querySelectorAll("figure")]
    .filter((one) => !one.querySelector("canvas")?.width)
    .map((one) => one.id);
}
"""
LIGHT, DARK, PAPER = {"medium": "screen"}, {"medium": "screen", "dark": True}, {"medium": "print"}
VIEWS = {
    "light": {"window": {"width": 1200}, "shown": LIGHT},
    "dark": {"window": {"width": 1200, "dark": True}, "shown": DARK},
    "narrow": {"window": {"width": 400}, "shown": LIGHT},
    "narrow-dark": {"window": {"width": 400, "dark": True}, "shown": DARK},
    "paper": {"window": {"width": 718}, "shown": PAPER},  # A4 without its margins
}
LEAST_TEXT = {"light": 11, "dark": 11, "narrow": 10, "narrow-dark": 10, "paper": 9}
HOSTILE = (
    "<script>window.hacked=1</script>",
    "\"><img src=x onerror='window.hacked=1'>",
    "=cmd()|'/C calc'!A0",
    "../../../../etc/passwd",
    "two\nlines",
    "\u202egnp.exe",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629",
    "x" * 10_000,
)
EXAMPLES = ("demo", "spot", "failing-cluster", "multi-cloud")


def bursar(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"bursar {' '.join(words)}: {done.stderr}")


def hostile_scenario(folder):
    """A trace whose tenants and jobs have names that would do harm."""
    rows = ["job,submit,duration,gpus,tenant"]
    for i, name in enumerate(HOSTILE * 3):
        quoted = '"' + name.replace('"', '""') + '"'
        rows.append(f"{quoted},{i * 600},{3600 * (1 + i % 5)},{1 + i % 8},{quoted}")
    (folder / "trace.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "hostile.yaml").write_text(
        "bursar: 1\n"
        "name: '<b>bold</b> & \"quoted\"'\n"
        "workload: {trace: {file: trace.csv, format: csv}}\n"
        "fleet:\n"
        "  - {pool: t4, gpu: T4, nodes: 2, gpus_per_node: 8, purchase: on-demand,\n"
        "     price: 1 USD/gpu-h}\n",
        encoding="utf-8",
    )
    return folder / "hostile.yaml"


def filled_shares(pdf):
    """Of each page inside its margins: the share of 8 x 12 fields that are not blank."""
    command = ["pdftoppm", "-r", "18", "-gray", str(pdf)]
    pictures = subprocess.run(command, capture_output=True, check=True).stdout
    shares = []
    while pictures:
        width, height = map(int, pictures.split(None, 3)[1:3])
        head = len(f"P5\n{width} {height}\n255\n")
        pixels, pictures = pictures[head : head + width * height], pictures[head + width * height :]
        left, top = width // 16, height // 22
        fields = 0
        for row in range(12):
            for column in range(8):
                xs = [left + (width - 2 * left) * (column + i) // 8 for i in (0, 1)]
                ys = [top + (height - 2 * top) * (row + i) // 12 for i in (0, 1)]
                fields += any(min(pixels[y * width + xs[0] : y * width + xs[1]]) < 235 for y in range(*ys))
        shares.append(fields / 96)
    return shares


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = Path(scratch.name)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def report(self, scenario, name):
        bursar("run", str(scenario), "--out", str(self.scratch / name))
        return self.scratch / name / "report.html"

    def look(self, page, view, charts=6):
        """Opens the page and holds it against what every page must be."""
        self.browser.open(page, **VIEWS[view]["window"])
        self.assertEqual(self.browser.requests(), [page.as_uri()])
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.evaluate("typeof window.hacked"), "undefined")
        scripts = self.browser.evaluate("document.querySelectorAll('script:not([type])').length")
        self.assertLessEqual(scripts, 1)
        if scripts:
            self.assertEqual(self.browser.evaluate(f"({LIVE})()"), [])
            for x in (100, 200, 300):  # over the last chart, which is in view
                self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=200)
            self.assertEqual(self.browser.complaints(), [])
        self.browser.show_on(**VIEWS[view]["shown"])
        drawn = self.browser.evaluate("document.querySelectorAll('figure').length")
        self.assertGreaterEqual(drawn, charts)
        self.assertEqual(self.browser.evaluate(f"({CHECKS})({LEAST_TEXT[view]})"), [])

    def test_every_view_of_the_examples(self):
        for example in EXAMPLES:
            page = self.report(ROOT / f"scenarios/examples/{example}.yaml", example)
            for view in VIEWS:
                with self.subTest(example=example, view=view):
                    self.look(page, view)
                    if SCREENSHOTS:
                        self.browser.screenshot(SCREENSHOTS / f"{example}-{view}.png")

    def test_comparisons_and_sweeps(self):
        compared = [str(ROOT / "scenarios/examples/deadlines.yaml"), "--seeds", "3"]
        compared += ["--vary", "policy.broker=owned-first,spot-with-fallback"]
        swept = [str(ROOT / "scenarios/examples/sweep.yaml"), "--seeds", "1"]
        for command, words in (("compare", compared), ("sweep", swept)):
            bursar(command, *words, "--out", str(self.scratch / command))
            for view in VIEWS:
                with self.subTest(command=command, view=view):
                    self.look(self.scratch / command / f"{command}.html", view, charts=4)
                    if SCREENSHOTS:
                        self.browser.screenshot(SCREENSHOTS / f"{command}-{view}.png")

    def test_names_that_would_do_harm(self):
        page = self.report(hostile_scenario(self.scratch), "hostile")
        for view in VIEWS:
            with self.subTest(view=view):
                self.look(page, view)
                if SCREENSHOTS:
                    self.browser.screenshot(SCREENSHOTS / f"hostile-{view}.png")

    def test_what_two_runs_differ_in(self):
        mixed = str(ROOT / "scenarios/examples/reserved-mix.yaml")
        hostile = str(hostile_scenario(self.scratch))
        for name, scenario, setting in (
            ("mixed", mixed, "fleet.base.nodes=10"),
            ("harm", hostile, "policy.queue=sjf"),
        ):
            sides = [str(self.scratch / f"{name}-{side}") for side in ("base", "new")]
            bursar("run", scenario, "--out", sides[0])
            bursar("run", scenario, "--set", setting, "--out", sides[1])
            bursar("diff", *sides, "--all", "--out", str(self.scratch / f"{name}-diff"))
            for view in VIEWS:
                with self.subTest(name=name, view=view):
                    self.look(self.scratch / f"{name}-diff" / "diff.html", view, charts=1)
                    if SCREENSHOTS:
                        self.browser.screenshot(SCREENSHOTS / f"diff-{name}-{view}.png")

    def test_paper_and_wide_tables(self):
        page = self.report(ROOT / "scenarios/examples/spot.yaml", "paper")
        self.browser.open(page, width=1280)
        wide = """[...document.querySelectorAll(".scroll")]
          .filter((one) => !one.closest("details") && one.scrollWidth > one.clientWidth + 1)"""
        self.assertEqual(self.browser.evaluate(f"{wide}.length"), 0)
        self.browser.open(page, width=400)
        self.assertGreater(self.browser.evaluate(f"{wide}.length"), 0)
        plain = "(one) => getComputedStyle(one).backgroundImage === 'none'"
        self.assertEqual(self.browser.evaluate(f"{wide}.filter({plain}).length"), 0)
        # 12 pages while every section began its own; a short table is never split.
        self.assertLessEqual(len(re.findall(rb"/Type\s*/Page\b", self.browser.printed())), 10)
        split = """[...document.querySelectorAll("table")]
          .filter((one) => one.tBodies[0].rows.length < 19)
          .filter((one) => getComputedStyle(one).breakInside !== "avoid")"""
        self.assertEqual(self.browser.evaluate(f"{split}.length"), 0)

    def test_a_comparison_fills_its_pages_on_paper(self):
        if shutil.which("pdftoppm") is None:
            self.skipTest("no pdftoppm here")
        words = ["--vary", "fleet.owned.nodes=12,16,20,24,28", "--seeds", "3"]
        bursar("compare", str(ROOT / "scenarios/examples/sweep.yaml"), *words, "--out", str(self.scratch / "filled"))
        self.browser.open(self.scratch / "filled/compare.html", width=1280)
        (self.scratch / "filled.pdf").write_bytes(self.browser.printed())
        pages = filled_shares(self.scratch / "filled.pdf")
        self.assertGreater(len(pages), 2)
        self.assertGreater(min(pages[:-1]), 0.5, pages)

    def test_tables_open_without_a_script(self):
        page = self.report(ROOT / "scenarios/examples/demo.yaml", "tables")
        self.browser.open(page, width=1200)
        self.browser.evaluate("document.querySelectorAll('summary').forEach(one => one.click())")
        tables = "[...document.querySelectorAll('details table')]"
        self.assertTrue(self.browser.evaluate(f"{tables}.every(one => one.offsetHeight > 0)"))
        self.assertEqual(
            self.browser.evaluate(f"{tables}.length"),
            self.browser.evaluate("document.querySelectorAll('figure').length"),
        )


if __name__ == "__main__":
    if program() is None:
        print("no Chromium here")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]])
