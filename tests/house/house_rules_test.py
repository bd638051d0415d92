#!/usr/bin/env python3
"""Each rule of house_rules.py must be able to fail: every case is a tree with one mistake in it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("house_rules.py")
FOLDERS = ["models", "sim", "policies", "scenarios", "reports", "tools", "tests"]

# Rule, file, its text, the line that is wrong.
MISTAKES = [
    ("includes", "models/a.hpp", '#pragma once\n#include "sim/clock.hpp"\n', 2),
    ("includes", "sim/a.hpp", '#include "policies/queue/registry.hpp"\n', 1),
    ("includes", "policies/a.cpp", '#include "scenarios/reader.hpp"\n', 1),
    ("includes", "scenarios/a.cpp", '#  include "reports/table.hpp"\n', 1),
    ("includes", "reports/a.cpp", '\n\n#include "policies/registry.hpp"\n', 3),
    ("includes", "tools/d.cpp", '#include "tests/shared_data.hpp"\n', 1),
    ("includes", "sim/b.cu", '#include "clock.hpp"\n', 1),
    ("instances", "policies/instances/a.cpp", '#include "policies/describe/option.hpp"\n', 1),
    ("third_party", "tools/e.cpp", "#include <CLI/CLI.hpp>\n", 1),
    ("third_party", "tools/d.cpp", "#include <sqlite3.h>\n", 1),
    ("third_party", "sim/d.cpp", "#include <fmt/format.h>\n", 1),
    ("third_party", "policies/d.cpp", "#include <vector>\n#include <xxhash.h>\n", 2),
    ("third_party", "tools/batch/d.cpp", "#include <sys/stat.h>\n#include <boost/version.hpp>\n", 2),
    ("third_party", "tools/d.cpp", "#include <yaml-cpp/yaml.h>\n", 1),
    ("third_party", "sim/a.hpp", "#pragma once\n__device__ int f();\n", 2),
    ("third_party", "sim/a.cpp", "#include <thrust/reduce.h>\n", 1),
    ("third_party", "sim/a.cpp", "int f() { return cudaDeviceSynchronize(); }\n", 1),
    ("names", "scenarios/schema/one_of.hpp", "Check one_of(std::vector<int> names);\n", 1),
    ("names", "tools/a.hpp", "\nnamespace bursar {\n} // namespace bursar\n", 2),
    ("names", "tools/b.hpp", "\nnamespace bursar::" + "inline tools {\n}\n", 2),
    ("names", "sim/a.hpp", "struct Share {\n};\nnamespace b {\nclass Share : public A {\n};\n}\n", 4),
    ("layout", "models/notes.txt", "see /" + "home/someone/notes\n", 1),
    ("citations", "sim/a.hpp", "// As the notes say.\n// See " + "notes" + ".md 2.\n", 2),
    ("citations", "tools/a.txt", "see models/" + "README.md and sim/" + "FORMULAS.md\n", 1),
    ("citations", "models/a.hpp", "/// FORMULAS 4.1 and " + "4.7\n", 1),
    ("citations", "scenarios/a.yaml", "source: models/FORMULAS.md sections 4, " + "5\n", 1),
    ("citations", "tools/model/a.cpp", 'note("exposed (section " "4.7)");\n'.replace('" "', ""), 1),
    ("layout", "tests/sim/a_test.cpp", 'TEST_CASE("runs") { run(); }\n', 1),
    ("cycles", "models/gpu/a.hpp", '\n#include "models/units.hpp"\n', 2),
    ("cycles", "sim/plan/file/a.hpp", '#include "sim/plan/b.hpp"\n', 1),
    ("layout", "tests/golden/big.csv", "0" * ((1 << 20) + 1), 1),
]


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def check(root, rule):
    command = [sys.executable, str(SCRIPT), rule, "--root", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class HouseRules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in FOLDERS:
            write(self.root, f"{name}/README.md", "what belongs here\n")
        write(self.root, "models/FORMULAS.md", "# Formulas\n## 4 Step\n### 4.1 Products\n")
        write(self.root, "models/b.hpp", "/// Half of it (models/FORMULAS.md section 4.1).\n")
        write(self.root, "scenarios/rules.hpp", "NameRule one_of(std::vector<int> names);\n")
        write(self.root, "models/units.hpp", "#pragma once\n#include <vector>\n")
        write(self.root, "tools/a.cpp", '#include "reports/b.hpp"\n#include "models/c.hpp"\n')
        write(self.root, "sim/launch.cu", "#include <thrust/reduce.h>\n__global__ void run();\n")
        write(self.root, "scenarios/reader.cpp", "#include <yaml-cpp/yaml.h>\n")
        write(self.root, "tests/sim/b_test.cpp", '#include "sim/b.hpp"\nvoid f() { CHECK(true); }\n')

    def test_a_tree_in_order_passes(self):
        answer = check(self.root, "all")
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def test_each_mistake_is_found_at_its_line(self):
        for rule, name, text, line in MISTAKES:
            with self.subTest(file=name, text=text[:40]):
                write(self.root, name, text)
                answer = check(self.root, rule)
                (self.root / name).unlink()
                self.assertEqual(answer.returncode, 1)
                self.assertIn(f"{name}:{line}: ", answer.stdout)
                self.assertIn(", 1 findings", answer.stdout)

    def test_folders_that_include_each_other_are_found_on_both_sides(self):
        write(self.root, "sim/plan/a.hpp", '#pragma once\n#include "sim/clock/b.hpp"\n')
        self.assertEqual(check(self.root, "cycles").returncode, 0)
        write(self.root, "sim/clock/b.hpp", '#include "sim/record/c.hpp"\n')
        write(self.root, "sim/record/c.hpp", '\n#include "sim/plan/a.hpp"\n')
        answer = check(self.root, "cycles")
        self.assertEqual(answer.returncode, 1)
        for place in ["sim/plan/a.hpp:2: ", "sim/clock/b.hpp:1: ", "sim/record/c.hpp:2: "]:
            self.assertIn(place, answer.stdout)
        self.assertIn(", 3 findings", answer.stdout)

    def test_folders_at_any_depth_form_no_cycle(self):
        write(self.root, "reports/html/page.hpp", '#include "reports/html/chart/bar/a.hpp"\n')
        write(self.root, "reports/html/chart/bar/a.hpp", '#include "reports/html/style/b.hpp"\n')
        self.assertEqual(check(self.root, "cycles").returncode, 0)
        write(self.root, "reports/html/style/b.hpp", '#include "reports/html/chart/c.hpp"\n')
        answer = check(self.root, "cycles")
        self.assertEqual(answer.returncode, 1)
        for place in ["reports/html/chart/bar/a.hpp:1: ", "reports/html/style/b.hpp:1: "]:
            self.assertIn(place, answer.stdout)
        self.assertIn(", 2 findings", answer.stdout)

    def test_a_folder_with_too_many_sources_is_found(self):
        for number in range(40):
            write(self.root, f"sim/plan/a{number}.hpp", "#pragma once\n")
        write(self.root, "sim/plan/notes.txt", "no source\n")
        self.assertEqual(check(self.root, "layout").returncode, 0)
        write(self.root, "sim/plan/last.cpp", "\n")
        self.assertIn("sim/plan:1: 41 sources", check(self.root, "layout").stdout)

    def test_a_folder_without_readme_is_found(self):
        (self.root / "sim/README.md").unlink()
        self.assertIn("sim/README.md:1: missing", check(self.root, "layout").stdout)

    def test_a_tree_inside_git_is_checked_but_for_what_git_ignores(self):
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        write(self.root, ".gitignore", "/build/\n")
        write(self.root, "build/models/a.hpp", '#include "sim/clock.hpp"\n')
        self.assertEqual(check(self.root, "all").returncode, 0)
        write(self.root, "models/a.hpp", '#include "sim/clock.hpp"\n')
        self.assertEqual(check(self.root, "all").returncode, 1)

    def test_an_empty_tree_does_not_pass(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertNotEqual(check(Path(empty), "all").returncode, 0)


if __name__ == "__main__":
    unittest.main()
