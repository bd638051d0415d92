#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/variants/variants.hpp"

#include "reports/files/input_files.hpp"

#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/many_runs.hpp"

namespace bursar { inline namespace tools {

/// A plan file that a sweep is made from.
struct CompiledPlan {
    std::string file;
    std::shared_ptr<const Compiled> compiled;
    std::uint64_t plan_key{};
};

/// What a sweep is made of.
struct SweepRequest {
    ScenarioSource source;
    std::vector<Axis> vary{};                    ///< empty: the axes of the scenario's `sweep`
    std::optional<std::int64_t> seed{};          ///< the first, >= 0; absent: the scenario's own
    std::optional<std::int64_t> seeds{};         ///< how many, >= 1; absent: as the scenario says
    std::optional<std::int64_t> max_scenarios{}; ///< absent: as the scenario says
    std::optional<CompiledPlan> plan{};          ///< of all scenarios; absent: they are compiled
    /// Scenarios that another beats by that share (> 0, < 1), by what models say before any run,
    /// are not simulated, nor those whose models fit no pool (SweepPruning); absent: all are. Not
    /// with a plan.
    std::optional<double> prune{};
};

/// More runs than these are refused where neither scenario nor command line says a limit.
inline constexpr std::uint64_t usual_max_scenarios = 1'000'000;

/// Part `index` of `count`, from 1 on.
struct Shard {
    std::uint64_t index{1};
    std::uint64_t count{1};
};

/// Every run of a sweep, read and checked, but not compiled. Run number i is scenario i / seeds
/// with its seed number i % seeds, where something in the scenario is random; else each scenario
/// runs once, and numbers are those of the scenarios.
class SweepPlan {
  public:
    /// Throws ScenarioError: with the mistakes of all scenarios, each once; where there is nothing
    /// to sweep, or more than the limit, with the count; where a scenario has another plan than the
    /// one that is given.
    explicit SweepPlan(const SweepRequest& request);

    [[nodiscard]] const Scenario& base() const { return base_->scenario; }
    [[nodiscard]] const VariantGrid& grid() const { return *grid_; }
    [[nodiscard]] std::span<const PlannedRun> runs() const { return runs_; }
    [[nodiscard]] std::uint64_t scenario_hash(std::size_t run) const {
        return hashes_[runs_[run].scenario];
    }
    /// Why a run is not made; empty: it is.
    [[nodiscard]] std::string_view why_pruned(std::size_t run) const {
        return pruned_.empty() ? std::string_view{} : pruned_[runs_[run].scenario];
    }
    /// Of the runs that are made.
    [[nodiscard]] std::size_t num_plans() const;
    /// Files that the scenarios are read from, or name.
    [[nodiscard]] const InputFiles& inputs() const { return inputs_; }
    /// Of them, but for the scenario's own documents: a hash of what each holds.
    [[nodiscard]] const std::map<std::string, std::uint64_t>& contents() const { return contents_; }
    /// Equal for sweeps of the same runs, in the same order, of the same program and files.
    [[nodiscard]] std::uint64_t identity() const { return identity_; }

    /// The scenario of that number, as it was read first where it was kept. By any thread.
    [[nodiscard]] LoadedScenario load(std::size_t scenario) const;

    /// The plan of all runs, where the sweep is made from one; else null.
    [[nodiscard]] std::shared_ptr<const Compiled> compiled() const { return compiled_; }

    /// Runs of a shard, by number: plans whole, but for those that are more than a small part of
    /// all; as even as the estimates of what runs take.
    [[nodiscard]] std::vector<std::size_t> runs_of(const Shard& shard) const;

    /// All runs in chunks that so many workers (>= 1) take one after the other, the longest first:
    /// plans whole, but for those that one worker would end too late, and short ones together.
    [[nodiscard]] std::vector<std::vector<std::size_t>> chunks_for(std::uint64_t workers) const;

  private:
    [[nodiscard]] LoadedScenario read(std::size_t scenario) const;
    void expand(const SweepRequest& request);
    void prune(std::vector<std::string> reasons);
    void check_plan(const CompiledPlan& plan) const;
    void identify(const SweepRequest& request, const std::vector<std::string>& files);

    /// A scenario as it was read.
    struct Kept {
        LoadedScenario loaded;
        bool has_one_run{}; ///< whoever asks takes it away; else it is copied
        bool is_taken{};
    };

    std::unique_ptr<ScenarioLoader> loader_;
    mutable std::mutex loading_;
    std::unique_ptr<LoadedScenario> base_;
    std::unique_ptr<VariantGrid> grid_;
    std::shared_ptr<const Compiled> compiled_;
    bool has_block_{}; ///< the scenario has a `sweep`, which its variants do not read again
    std::vector<PlannedRun> runs_;
    std::vector<std::uint64_t> hashes_; ///< by scenario
    std::vector<std::string> pruned_;   ///< by scenario, why it is not simulated; empty: all are
    mutable std::deque<Kept> kept_;     ///< the first of them, so that they are read once; under
                                        ///< `loading_` where one can be taken away
    InputFiles inputs_;
    std::map<std::string, std::uint64_t> contents_;
    std::uint64_t identity_{};
};

}} // namespace bursar::tools
