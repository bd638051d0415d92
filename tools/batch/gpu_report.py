"""The Markdown tables of tools/gpu-check: times, and resources of kernels."""

import csv
import re

# Of one multiprocessor, compute capability 8.0 and 9.0 (CUDA C++ Programming Guide, table of features).
REGISTERS, MAX_WARPS, REGISTER_UNIT = 65_536, 64, 256
WARPS_PER_BLOCK = 2  # policies/batch/cuda_device.cu
USAGE = re.compile(r"Compiling entry function '(.+?)' for '(\w+)'\n.*?\n\s+(\d+) bytes stack frame, (\d+) bytes spill stores, "
                   r"(\d+) bytes spill loads\nptxas info\s+: Used (\d+) registers(.*)")


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def warps_at_once(registers):
    """Warps that fit on a multiprocessor, by registers, in whole blocks."""
    a_warp = -(-registers * 32 // REGISTER_UNIT) * REGISTER_UNIT
    return min(MAX_WARPS, REGISTERS // a_warp // WARPS_PER_BLOCK * WARPS_PER_BLOCK)


def short_name(kernel):
    """A short name of a kernel, whose real name is a list of types."""
    inner = re.sub(r"bursar::(?:\w+::)?", "", kernel)
    inner = re.sub(r"^void serve_on_(warp|lane)s<EngineTypes<", r"\1: ", inner)
    inner = re.sub(r"> ?>\(Batch\)$", "", inner)
    return inner.replace("EasyBackfill<CountReservation>, AnyVictims<ValueTrade, HeldShare>", "...").strip()


def kernels_of(log):
    """(kernel, registers, stack, spilled, shared) of each kernel in the output of `ptxas -v`, in bytes."""
    found = []
    for name, _, stack, stores, loads, registers, rest in USAGE.findall(log):
        shared = re.search(r"(\d+) bytes smem", rest)
        found.append((name, int(registers), int(stack), int(stores) + int(loads), int(shared[1]) if shared else 0))
    return found


def kernel_table(kernels):
    header = ("kernel", "registers", "stack, B", "spilled, B", "shared, B", "warps a multiprocessor")
    return table(header, [(f"`{short_name(name)}`", registers, stack, spilled, shared,
                           f"{warps_at_once(registers)} of {MAX_WARPS}")
                          for name, registers, stack, spilled, shared in kernels])


def times_of(text):
    """Seconds and events by device in a file of --times."""
    found = {}
    for row in csv.DictReader(text.splitlines()):
        seconds, events = found.get(row["device"], (0.0, 0))
        found[row["device"]] = (seconds + float(row["seconds"]), events + int(row["events"]))
    return found


def rate(figure):
    return "not run" if figure is None else f"{figure[1] / figure[0] / 1e6:.1f}"


def crossover(series):
    """The number of runs from which the GPU is faster, between the measured ones; series: (runs, GPU seconds, host
    seconds a run), ascending. None: at none of them."""
    before = None
    for runs, gpu_s, host_s in series:
        gain = host_s * runs - gpu_s
        if gain >= 0:
            if before is None:
                return runs
            share = -before[1] / (gain - before[1])
            return round(before[0] + share * (runs - before[0]))
        before = (runs, gain)
    return None


def figure_table(figures):
    """figures: (policy, jobs, runs, GPU (seconds, events) or None, host (seconds, events) of host_runs, host_runs)."""
    rows = []
    for policy, jobs, runs, gpu, host, host_runs in figures:
        ratio = "-" if gpu is None else f"{(gpu[1] / gpu[0]) / (host[1] / host[0]):.2f}"
        seconds = "not run" if gpu is None else f"{gpu[0]:.2f}"
        number = "-" if runs is None else f"{runs:,}"
        rows.append((policy, f"{jobs:,}", number, seconds, rate(gpu), rate(host), f"{host_runs:,}", ratio))
    return table(("policy", "jobs a run", "runs K", "GPU, s", "GPU, M events/s", "host, M events/s", "runs on the host",
                  "GPU / host"), rows)


def crossover_table(figures):
    by_policy = {}
    for policy, jobs, runs, gpu, host, host_runs in figures:
        if gpu is not None:
            by_policy.setdefault((policy, jobs), []).append((runs, gpu[0], host[0] / host_runs))
    rows = [(policy, f"{jobs:,}", crossover(series) or f"none up to {series[-1][0]:,}")
            for (policy, jobs), series in by_policy.items()]
    return table(("policy", "jobs a run", "GPU pays from K"), rows) if rows else "not run: no GPU\n"
