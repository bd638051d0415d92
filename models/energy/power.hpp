#pragma once

#include "models/gpu/gpu.hpp"
#include "models/units/physics.hpp"

/// Power of GPUs and their building (FORMULAS 8).
namespace bursar { inline namespace models {

/// Power of a GPU by how busy it is.
struct GpuPower {
    Power idle;
    Power full;         ///< at full load: the TDP
    double exponent{1}; ///< γ [unverified]
};

/// Idle power as a share of the TDP: the middle of 0.1-0.2, FORMULAS 8 [unverified].
inline constexpr double default_idle_share = 0.15;

/// CPU, memory, network and fans of a node as a share of its GPUs' power: the middle of 20-35 %,
/// FORMULAS 8 [unverified].
inline constexpr double default_node_overhead = 0.275;

/// Power of GPUs in LLM training, as a share of the TDP: the middle of 70-95 %, FORMULAS 8.
inline constexpr double training_power_share = 0.825;

/// The busy share at which a GPU with the default idle share draws that power (γ = 1).
inline constexpr double default_utilization =
    (training_power_share - default_idle_share) / (1 - default_idle_share);

/// The rest of a node as a share of its GPUs' power, where the node was measured in training at
/// `busy` per GPU (FORMULAS 8). Throws UnknownFact where no TDP is known, ModelError if `busy` is
/// less than the GPU alone draws.
[[nodiscard]] double node_overhead_of(const Gpu& gpu, Power busy);

/// The power curve of `gpu` between idle_share · TDP and TDP. Throws UnknownFact where no TDP is
/// known, ModelError unless idle_share is a share.
[[nodiscard]] GpuPower power_of(const Gpu& gpu, double idle_share = default_idle_share);

/// P_idle + (P_full - P_idle) · u^γ. utilization: busy share u, 0..1. Throws ModelError if it is
/// out of range, or the curve is: 0 <= idle <= full, full > 0, exponent > 0.
[[nodiscard]] Power power_at(const GpuPower& gpu, double utilization);

/// Overheads of nodes and building on the power of GPUs.
struct Site {
    double node_overhead{default_node_overhead}; ///< share on top of the GPUs' power, >= 0
    double pue{1}; ///< power usage effectiveness: facility over computers, >= 1
};

/// gpus · power · (1 + node_overhead) · PUE. gpus: > 0. Throws ModelError for values out of range.
[[nodiscard]] Power facility_power(double gpus, Power each, const Site& site);

/// US dollars for `energy` at `usd_per_kwh`; an estimate in floating point; bills of simulations
/// use exact integers. usd_per_kwh: >= 0; ModelError otherwise.
[[nodiscard]] double energy_usd(Energy energy, double usd_per_kwh);

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

/// GPUs draw their busy power except in the idle share of the time (FORMULAS 8). Throws ModelError
/// as power_at and facility_power do.
[[nodiscard]] RunEnergy run_energy(const RunPower& power, const RunTime& time);

}} // namespace bursar::models
