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

/// What other number formats than those they were measured in were taken to make of run times.
class FormatNotes {
  public:
    /// gpu: of the pool that `speed` is of.
    void add(const std::string& gpu, const PoolSpeed& speed);

    /// What is assumed; empty: nothing.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    std::map<std::tuple<std::string, Precision, Precision>, PoolSpeed> changes_; ///< by GPU
    bool some_unknown_{};
};

/// How fast the jobs of a workload were taken to be on GPUs other than those their run times were
/// measured on, and which take the time that their workload states on any.
class RunTimeNotes {
  public:
    /// All outlive this.
    RunTimeNotes(const Scenario& scenario, const RunKinds& kinds, const GpuSpeeds& speeds)
        : scenario_{scenario}, kinds_{kinds}, speeds_{speeds} {}

    /// A job whose run time the workload states. pools: those it may use, as bits,
    /// whether or not its type of job was measured to run there. Throws ScenarioError where nothing
    /// is published by which it could be scaled to one of them.
    void add(const RunKind& kind, std::uint64_t pools);

    /// What is assumed of run times; empty: nothing.
    [[nodiscard]] std::vector<std::string> assumed() const;

    /// What the scenario says of run times and no job heeds.
    [[nodiscard]] std::vector<std::string> warnings() const;

  private:
    /// Speeds of one origin on a GPU against another.
    struct Scaled {
        double least{};
        double most{};
        PoolSpeed last;
    };
    /// The GPU measured on, the pool's place among different GPUs, the origin.
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
