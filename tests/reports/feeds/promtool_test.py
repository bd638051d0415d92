"""What Prometheus' own checker says of metrics.prom: nothing. usage: promtool_test.py BURSAR"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

promtool = shutil.which("promtool")
if promtool is None:
    print("skipped: promtool is not installed (Debian's package prometheus)")
    sys.exit(77)

bursar = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    runs = [str(Path(folder, name)) for name in ("one", "two")]
    scenario = Path(__file__).parents[3] / "scenarios" / "examples" / "planning" / "month.yaml"
    for seed, run in enumerate(runs, 1):
        subprocess.run([bursar, "run", scenario, "--seed", str(seed), "--out", run], check=True, capture_output=True)
    for results in (runs[:1], runs):
        metrics = subprocess.run(
            [bursar, "report", *results, "--format", "prometheus"], check=True, capture_output=True
        ).stdout
        assert b"bursar_run_info{" in metrics
        found = subprocess.run([promtool, "check", "metrics"], input=metrics, capture_output=True)
        assert found.returncode == 0, found.stderr.decode()
        assert not found.stdout + found.stderr, found
