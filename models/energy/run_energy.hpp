#pragma once

#include "models/energy/power.hpp"

namespace bursar { inline namespace models {

/// The GPUs of a run and where they stand.
struct RunPower {
    GpuPower gpu;
    double utilization{}; ///< busy share while computing, 0..1
    double gpus{};        ///< > 0
    Site site;
};

/// How a run spends its time; both 0..1, together at most 1.
struct RunTime {
    Seconds length;
    double useful{}; ///< share whose progress was kept
    double idle{};   ///< share in which GPUs idle: dumps and restarts
};

struct RunEnergy {
    Power gpu;     ///< mean of one GPU
    Energy total;  ///< of the run, nodes and building included
    Energy useful; ///< of its useful time

    [[nodiscard]] Energy lost() const { return total - useful; }
};

/// GPUs draw their busy power but for the idle share of the time (FORMULAS 8). Throws ModelError as
/// power_at and facility_power do.
[[nodiscard]] RunEnergy run_energy(const RunPower& power, const RunTime& time);

}} // namespace bursar::models
