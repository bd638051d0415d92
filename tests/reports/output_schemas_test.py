#!/usr/bin/env python3
"""Every JSON file that bursar writes fits the schema that is installed with it, and the schemas name nothing else.

    output_schemas_test.py PROGRAM ROOT

Each key that a program writes must be in its schema, as these close every object, and each key of a schema must be in
a file of one of the runs below. Exits with 77, the test's code for skipped, where python3-jsonschema is absent.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("skipped: jsonschema is not installed (tools/install-packages test)")
    sys.exit(77)

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2])
PLAIN = """bursar: 1
name: plain
workload: {jobs: [{name: a, gpus: 2, duration: 2 h, count: 3, every: 1 h}]}
fleet: [{pool: p, gpu: T4, nodes: 2, gpus_per_node: 2, purchase: owned, price: 1 USD/gpu-h}]
"""
FULL = """bursar: 1
name: full
workload:
  synthetic: {like: philly, jobs: 60, gpus: 16, load: 1.5, seed: 1}
  classes:
    - match: {gpus: 4..}
      deadline: 4 h
      startup: 1 min
      checkpoint: {every: 10 min, size: 20 GB, write: 1 GB/s}
    - startup: 30 s
currencies:
  EUR: {usd: 1.08, date: '2026-01-31'}
report: {currency: EUR}
calendar: Europe/Berlin
energy: {grid: 300 g/kWh, embodied: {carbon: 150 kg, life: 4 y}}
budgets:
  - {name: all, limit: 10 USD, per: month, then: stop-jobs}
  - {name: one, pool: spot, limit: 1 USD, burn: {above: 0.1 USD/h, over: 1 h}}
commitments:
  - {name: c, spend: 2 USD/h, pools: burst}
fleet:
  - {pool: base, purchase: reserved, gpu: V100-SXM2-16GB, nodes: 2, gpus_per_node: 4, price: 1 USD/gpu-h, term: 90 d,
     failures: {per_node_day: 1, detect: 1 min, repair: 2 h}}
  - {pool: burst, purchase: on_demand, gpu: V100-SXM2-16GB, nodes: 0..2, gpus_per_node: 4, price: 3 USD/gpu-h, boot: 4 min}
  - {pool: spot, purchase: spot, gpu: V100-SXM2-16GB, nodes: 0..2, gpus_per_node: 4,
     price: {generate: {family: mean-reverting, mean: 0.3 USD/gpu-h, floor: 0.1 USD/gpu-h, ceiling: 0.6 USD/gpu-h,
                        every: 2 h, swing: 0.2, memory: 1 d}},
     availability: {generate: {up: 5 h, down: 1 h, correlation: 0.3}, notice: 2 min}}
policy: {queue: srtf, broker: cheapest-now}
until: 20 d
"""
WAITS = """bursar: 1
name: waits
workload:
  jobs: [{name: a, gpus: 1, duration: 2 h, count: 2, every: 1 s}, {name: b, gpus: 2, duration: 1 h, submit: 1 min},
         {name: c, gpus: 4, duration: 1 h, submit: 2 min}]
  classes: [{match: {gpus: 4}, pools: q}, {pools: p}]
fleet:
  - {pool: p, gpu: T4, nodes: 2, gpus_per_node: 2, purchase: owned, price: 1 USD/gpu-h}
  - {pool: q, gpu: T4, nodes: 0..1, gpus_per_node: 4, purchase: on_demand, price: 2 USD/gpu-h, boot: 10 min}
policy: {placement: worst-fit, head: skip}
"""
# Columns of result.json that take more than a small run: years of 10,000 GPUs, grids that change, parts of GPUs, models.
RARE = {"slot_ms_high", "grid_from_ms", "grid_mg_per_kwh_from", "grid_mg_slot_ms_per_kwh", "gpu_slots", "level",
        "stalled_slots", "level_effect"}


class Schema:
    """A schema, and which of its keys files have had."""

    def __init__(self, name):
        self.name = name
        self.schema = json.loads((ROOT / f"reports/schemas/{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft7Validator.check_schema(self.schema)
        assert self.schema["$id"] == f"https://bursar.example/schemas/{name}.schema.json", name
        self.validator = jsonschema.Draft7Validator(self.schema)
        self.unseen = set(self.keys(self.schema, ()))

    def resolve(self, schema):
        if not isinstance(schema, dict):  # additionalProperties: false
            return {}
        while "$ref" in schema:
            schema = self.schema["definitions"][schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def keys(self, schema, path):
        schema = self.resolve(schema)
        for key, inner in schema.get("properties", {}).items():
            yield path + (key,)
            yield from self.keys(inner, path + (key,))
        for keyword, step in (("items", "[]"), ("additionalProperties", "*")):
            if isinstance(schema.get(keyword), dict):
                yield from self.keys(schema[keyword], path + (step,))

    def see(self, value, schema, path):
        schema = self.resolve(schema)
        if isinstance(value, list):
            for element in value:
                self.see(element, schema.get("items", {}), path + ("[]",))
        elif isinstance(value, dict):
            for key, element in value.items():
                named = key in schema.get("properties", {})
                step = path + (key if named else "*",)
                self.unseen.discard(step)
                self.see(element, schema["properties"][key] if named else schema.get("additionalProperties", {}), step)

    def mistakes(self, file):
        document = json.loads(file.read_text(encoding="utf-8"))
        self.see(document, self.schema, ())
        for error in self.validator.iter_errors(document):
            yield f"{file}: {'.'.join(map(str, error.absolute_path))}: {error.message[:300]}"


def run(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), (words, done.stderr)


def write_all(folder):
    """Runs everything that writes JSON; each file under the name of its schema and a number."""
    for name, text in (("plain", PLAIN), ("full", FULL), ("waits", WAITS)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    plain, full = folder / "plain.yaml", folder / "full.yaml"
    files = "json,result"
    run("run", plain, "--out", folder / "plain", "--files", files, "--reproducible")
    run("run", full, "--out", folder / "full", "--files", files, "--set", "repeat.seeds=2")
    run("run", ROOT / "scenarios/examples/train-llms.yaml", "--out", folder / "models", "--files", files)
    run("run", folder / "waits.yaml", "--out", folder / "waits", "--files", files)
    run("run", ROOT / "scenarios/examples/pipeline.yaml", "--out", folder / "pipeline", "--files", files)
    run("run", ROOT / "scenarios/examples/tuning.yaml", "--out", folder / "tuning", "--files", files)
    run("run", ROOT / "scenarios/examples/staging.yaml", "--out", folder / "staging", "--files", files)
    run("run", ROOT / "scenarios/examples/packing.yaml", "--out", folder / "packing", "--files", files)
    run("run", ROOT / "scenarios/examples/elastic.yaml", "--out", folder / "elastic", "--files", files,
        "--set", "workload.synthetic.jobs=200")
    run("diff", folder / "plain", folder / "full", "--out", folder / "diff", "--fail-if", "cost>+5%")
    run("diff", folder / "full", folder / "full", "--out", folder / "same")
    run("compare", plain, "--vary", "fleet.p.nodes=1,2", "--goal", "wait.p99 < 1 s", "--out", folder / "exact")
    models = ("compare", ROOT / "scenarios/examples/train-llms.yaml", "--set")
    run(*models, "until=", "--vary", "policy.queue=fifo,sjf", "--out", folder / "modelled")
    run(*models, "fleet.h100.nodes=0..128", "--set", "fleet.h100.purchase=on_demand", "--vary", "until=5 d,6 d",
        "--out", folder / "cut-off")
    run("sweep", plain, "--vary", "policy.queue=fifo,sjf", "--vary", "fleet.p.nodes=1,2", "--goal", "wait.p99 < 1 h",
        "--out", folder / "sweep")
    run("sweep", plain, "--vary", "fleet.p.nodes=1,4", "--refine", 1, "--out", folder / "refined")
    rows = [f"{hour * 3600},1800,1" for hour in range(0, 192, 6)]
    (folder / "trace.csv").write_text("\n".join(["submit,duration,gpus", *rows, ""]), encoding="utf-8")
    drawn = PLAIN.replace("{jobs: [{name: a, gpus: 2, duration: 2 h, count: 3, every: 1 h}]}",
                          "{trace: {file: trace.csv, format: csv, resample: 1 d}}")
    (folder / "drawn.yaml").write_text(drawn, encoding="utf-8")
    run("compare", folder / "drawn.yaml", "--vary", "fleet.p.nodes=1,2", "--resample", 40, "--out", folder / "drawn")
    for name, goal in (("kept", "cost.total < 1000000 USD"), ("missed", "cost.total < 1 USD")):
        drawn = ("--vary", "policy.queue=fifo,sjf", "--seeds", 2, "--goal", goal, "--out")
        run("compare", full, *drawn, folder / f"compare-{name}")
        run("sweep", full, *drawn, folder / f"sweep-{name}")


def main():
    schemas = {name: Schema(name) for name in ("summary", "result", "comparison", "compare", "diff", "sweep")}
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        write_all(Path(scratch))
        golden = ROOT / "tests/reports/golden"
        for file in [*sorted(Path(scratch).rglob("*.json")), *(golden / f"{name}.json" for name in schemas if name != "sweep")]:
            failed += schemas[file.stem].mistakes(file)
    for schema in schemas.values():
        failed += [f"{schema.name}: no run has {'.'.join(key)}" for key in sorted(schema.unseen) if key[-1] not in RARE]
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
