#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scenarios/compile/speeds/gpu_speeds.hpp"
#include "scenarios/compile/speeds/run_kind.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Collects how changes of number format were assumed to change run times.
class FormatNotes {
  public:
    /// gpu: of the pool that `speed` belongs to.
    void add(const std::string& gpu, const PoolSpeed& speed);

    /// Assumptions; empty: none.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    std::map<std::tuple<std::string, Precision, Precision>, PoolSpeed> changes_; ///< by GPU
    bool some_unknown_{};
};

/// Collects the assumed speeds of a workload's jobs on GPUs other than those that they were
/// measured on, and the jobs whose run time is assumed to hold on every GPU.
class RunTimeNotes {
  public:
    /// All outlive this.
    RunTimeNotes(const Scenario& scenario, const RunKinds& kinds, const GpuSpeeds& speeds)
        : scenario_{scenario}, kinds_{kinds}, speeds_{speeds} {}

    /// Adds a job with a run time of the workload. pools: those it may use, as bits, including
    /// those its type of job was measured not to run on. Throws ScenarioError if no published
    /// figure scales its run time to one of them.
    void add(const RunKind& kind, std::uint64_t pools);

    /// Assumptions about run times; empty: none.
    [[nodiscard]] std::vector<std::string> assumed() const;

    /// Warnings about run-time options of the scenario that no job uses.
    [[nodiscard]] std::vector<std::string> warnings() const;

  private:
    /// Speeds of one origin on a GPU against another.
    struct Scaled {
        double least{};
        double most{};
        PoolSpeed last;
    };
    /// GPU measured on, index of the pool's GPU, source of the speed.
    using ScaledKey = std::tuple<std::string, std::size_t, SpeedOrigin>;

    void note(const RunKind& kind, std::size_t pool);
    [[nodiscard]] std::size_t first_pool_of(const std::string& gpu) const;
    [[nodiscard]] std::string text(const ScaledKey& key, const Scaled& scaled) const;
    [[nodiscard]] std::string unscaled() const;

    const Scenario& scenario_;
    const RunKinds& kinds_;
    const GpuSpeeds& speeds_;
    std::map<RunKind, std::uint64_t> seen_; ///< pools by kind
    std::uint64_t unscaled_pools_{};
    std::map<ScaledKey, Scaled> scaled_;
    std::set<std::string> unfit_gpus_;
    FormatNotes formats_;
};

}} // namespace bursar::scenarios
