#!/usr/bin/env python3
"""Every scenario that is shipped validates with a stock YAML reader and JSON-Schema validator.

    stock_validator_test.py PROGRAM ROOT

Exits with 77, the test's code for skipped, where the two packages are absent.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

try:
    import jsonschema
    import yaml
except ImportError as absent:
    print(f"skipped: {absent.name} is not installed (tools/install-packages test)")
    sys.exit(77)

BOOLEANS = """
bursar: 1
workload:
  jobs: [{name: a, gpus: 8}]
  classes:
    - model: gpt-1.3b
      steps: 10
      batch: 64 samples
      parallelism: {sequence_parallel: %s}
fleet:
  - {pool: p, purchase: on-demand, gpu: V100, nodes: 1, gpus_per_node: 8, price: 1 USD/gpu-h}
"""


def scenarios_in(page):
    """The fenced blocks of a page that are whole scenarios."""
    for block in re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        if re.search(r"^bursar: 1$", block, re.MULTILINE):
            yield block


def shipped(root):
    """Each scenario with the name to call it by."""
    for file in sorted((root / "scenarios/examples").rglob("*.yaml")):
        yield str(file.relative_to(root)), file.read_text(encoding="utf-8")
    for page in sorted(root.glob("**/*.md")):
        if "build" in page.relative_to(root).parts:
            continue
        for number, text in enumerate(scenarios_in(page.read_text(encoding="utf-8"))):
            yield f"{page.relative_to(root)}, scenario {number + 1}", text
    for word in ("true", "false", "yes", "no", "True"):
        yield f"sequence_parallel: {word}", BOOLEANS % word


def main():
    program, root = sys.argv[1], Path(sys.argv[2])
    text = subprocess.run([program, "schema"], capture_output=True, check=True, text=True).stdout
    schema = json.loads(text)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    tried = failed = 0
    for name, scenario in shipped(root):
        tried += 1
        for error in validator.iter_errors(yaml.safe_load(scenario)):
            failed += 1
            print(f"{name}: {'.'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    wrong = yaml.safe_load(BOOLEANS % "perhaps")
    if validator.is_valid(wrong):
        failed += 1
        print("sequence_parallel: perhaps: should have been refused")
    print(f"{tried} scenarios")
    return 1 if failed or tried < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
