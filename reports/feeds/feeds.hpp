#pragma once

#include "reports/registry.hpp"

/// Outputs in the formats of other tools. They are written only on request.
namespace bursar { inline namespace reports {

/// Every scalar in Prometheus' text format 0.0.4, for a collector of files.
OutputWriter write_prometheus;
/// GPU-hours by pool as Slurm's `sreport cluster utilization -P` prints them.
OutputWriter write_sreport;
/// Cost by tenant as OpenCost's allocations: workloads, cluster idle, overhead.
OutputWriter write_opencost;
/// The time that jobs held as Google's goodput measurement sorts it.
OutputWriter write_goodput;

}} // namespace bursar::reports
