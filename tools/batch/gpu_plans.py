"""Plans for tools/gpu-check: small ones for every combination of policies, and large ones to time."""

import itertools
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MAX_BYTES = 64 << 20  # in all, to copy to a machine with a GPU
GROUPS = ("identity", "sanitize", "figures")

POOL = "gpu: V100-SXM2-16GB, gpus_per_node: 4, price: 1 USD/gpu-h"
FLEETS = (
    f"[{{pool: p, purchase: owned, nodes: 6, {POOL}}}, {{pool: s, purchase: spot, nodes: 2, {POOL}}}]",
    f"[{{pool: p, purchase: owned, nodes: 6, {POOL}, failures: {{per_node_day: 0.4, detect: 1 min, repair: 2 h}}}},"
    f" {{pool: s, purchase: on_demand, nodes: 0..4, boot: 3 min, idle_timeout: 10 min, {POOL}}}]",
)
SMALL = """bursar: 1
name: identity
workload:
  synthetic: {like: philly, jobs: 60, gpus: 32, load: 1.3, seed: 7}
  classes:
    - match: {gpus: 1}
      priority: 1
      value: 2 USD/gpu-h
      deadline: 20 h
    - startup: 1 min
      value: 1 USD/gpu-h
      checkpoint: {when: every, every: 20 min, save: 30 s}
"""
LARGE = """bursar: 1
name: figures
workload:
  synthetic: {like: philly, jobs: JOBS, gpus: 2000, load: 0.95, seed: SEED}
fleet:
  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 250, gpus_per_node: 8, price: 1 USD/gpu-h}
"""
TIMED = {
    "fifo": "{queue: fifo, capacity: count}",
    "sjf": "{queue: sjf, capacity: count}",
    "srtf": "{queue: srtf, capacity: count}",
    "las": "{queue: las, capacity: count}",
    "priority": "{queue: sjf, preemption: priority, capacity: count}",
    "easy": "{queue: fifo, backfill: easy, capacity: count}",
    "fifo-nodes": "{queue: fifo}",
    "srtf-nodes": "{queue: srtf}",
}


class PlansFailed(Exception):
    """A plan could not be made, although its scenario is right."""


def combinations(bursar):
    """The policies of each small plan, as a scenario writes them; some of them conflict."""
    listed = json.loads(subprocess.run([bursar, "policies", "--format", "json"], capture_output=True, text=True,
                                       check=True).stdout)["policies"]
    names = {}
    for policy in listed:
        names.setdefault(policy["slot"], []).append(policy["name"])
    slots = ("queue", "head", "backfill", "capacity", "preemption")
    for chosen in itertools.product(*(names[slot] for slot in slots)):
        rounds = ", rounds: 10 min" if "quantum" in chosen else ""
        yield "{" + ", ".join(f"{slot}: {name}" for slot, name in zip(slots, chosen)) + rounds + "}"


def compile_plan(bursar, text, plan):
    """Whether it was made: a scenario whose policies conflict has none."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as scenario:
        scenario.write(text)
        scenario.flush()
        done = subprocess.run([bursar, "compile", scenario.name, "-o", plan], capture_output=True, text=True,
                              check=False)
    if done.returncode not in (0, 2) or (done.returncode == 2 and ": policy." not in done.stderr):
        raise PlansFailed(f"{plan}: bursar compile: exit code {done.returncode}: {done.stderr.strip()}")
    return done.returncode == 0


def small_plans(bursar, every):
    for number, policy in enumerate(combinations(bursar)):
        if number % every == 0:
            for fleet, world in enumerate(("still", "moving")):
                yield (f"identity/{number:04}-{world}.bplan",
                       f"{SMALL}fleet: {FLEETS[fleet]}\npolicy: {policy}\n")


def large_plans(jobs, seeds):
    for name, policy in TIMED.items():
        for num in jobs:
            for seed in range(1, seeds + 1):
                text = LARGE.replace("JOBS", str(num)).replace("SEED", str(seed))
                priority = "  classes: [{match: {gpus: 1}, priority: 1}, {}]\n" if name == "priority" else ""
                text = text.replace("fleet:\n", f"{priority}fleet:\n")
                yield f"figures/{name}-{num}-{seed}.bplan", f"{text}policy: {policy}\n"


def rows_of(table):
    """Lines of a table of bursar-batch by the plan's file, without its folders."""
    return {line.split(",")[0].rsplit("/", 1)[-1]: line.split(",", 1)[1] for line in table.splitlines()[1:]}


def keep_answered(batch, folder):
    """Writes the host's answers beside the plans, and removes plans that do not determine their run."""
    done = subprocess.run([batch, "--device", "host", folder], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        raise PlansFailed(f"{folder}: bursar-batch: exit code {done.returncode}: {done.stderr.strip()}")
    answered = {name: row for name, row in rows_of(done.stdout).items() if row.split(",")[1] == "ok"}
    for plan in folder.glob("*.bplan"):
        if plan.name not in answered:
            plan.unlink()
    header = done.stdout.partition("\n")[0]
    rows = [f"{name},{row}" for name, row in sorted(answered.items())]
    (folder / "expected.csv").write_text("\n".join([header, *rows, ""]))
    return len(answered)


def make_plans(folder, bursar, batch, every=1, jobs=(10_000, 100_000), seeds=2):
    """Writes all plans below `folder`; returns a summary. every: one in `every` combinations of policies is used."""
    for group in GROUPS:
        (folder / group).mkdir(parents=True, exist_ok=True)
        for old in (folder / group).glob("*.bplan"):
            old.unlink()
    wanted = [*small_plans(bursar, every), *large_plans(jobs, seeds)]
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda plan: compile_plan(bursar, plan[1], folder / plan[0]), wanted))
    small = sorted((folder / "identity").glob("*.bplan"))
    for plan in small[:: max(1, len(small) // 8)][:8]:
        (folder / "sanitize" / plan.name).write_bytes(plan.read_bytes())
    numbers = [keep_answered(batch, folder / group) for group in GROUPS]
    size = sum(plan.stat().st_size for plan in folder.rglob("*") if plan.is_file())
    if size > MAX_BYTES:
        raise PlansFailed(f"{folder}: {size} bytes, more than the {MAX_BYTES} that are carried; give fewer --jobs")
    if min(numbers) == 0:
        raise PlansFailed(f"{folder}: a group without a plan: {dict(zip(GROUPS, numbers))}")
    return (f"{folder}: {numbers[0]} plans to compare, {numbers[1]} to check, {numbers[2]} to time, "
            f"{size / 1e6:.1f} MB; {made.count(False)} combinations conflict")
