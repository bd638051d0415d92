"""Shared by tools/coverage, mutants and fuzz-long: programs that end with the script that started them."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

CORES = len(os.sched_getaffinity(0))  # that this process may use
SCRIPT = os.path.basename(sys.argv[0])
running = set()
ending = False  # a pool of threads is: what a thread starts now ends at once
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as Ctrl-C: what was started ends first


def end(process):
    """Ends a program and those that it started. Not by a kill, which ninja's compilers outlive."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass


def run(*command, accepted=(0,), timeout=None, **words):
    """Runs a program to its end; returns its exit status, output and errors. Another status than those accepted (None:
    any) ends this script with what the program said. After `timeout` seconds the program is ended."""
    try:
        process = subprocess.Popen([str(word) for word in command], text=True, errors="replace", process_group=0,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, **words)
    except FileNotFoundError as error:
        sys.exit(f"{SCRIPT}: {error.filename} is missing; tools/install-packages build test check nightly")
    running.add(process)
    if ending:
        end(process)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        end(process)
        out, err = process.communicate()
    except BaseException:
        end(process)
        process.communicate()
        raise
    finally:
        running.discard(process)
    if accepted is not None and process.returncode not in accepted:
        sys.exit(f"{SCRIPT}: exit status {process.returncode} of {' '.join(map(str, command))}\n{(out + err)[-4000:]}")
    return process.returncode, out, err


@contextmanager
def workers(jobs):
    """A pool of threads. When its block ends by an exception, nothing else is started, and what runs is ended."""
    global ending
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            ending = True  # before the look at `running`: a thread may just have started a program
            for process in list(running):
                end(process)
            raise
