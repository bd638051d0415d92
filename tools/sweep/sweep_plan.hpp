#pragma once

#include <algorithm>
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

/// The request for a sweep.
struct SweepRequest {
    ScenarioSource source;
    std::vector<Axis> vary{};                    ///< empty: the axes of the scenario's `sweep`
    std::optional<std::int64_t> seed{};          ///< the first one, >= 0; absent: the scenario's
    std::optional<std::int64_t> seeds{};         ///< number of seeds, >= 1; absent: the scenario's
    std::optional<std::int64_t> max_scenarios{}; ///< absent: the scenario's
    std::optional<CompiledPlan> plan{};          ///< shared by all scenarios; absent: they are
                                                 ///< compiled
    /// Leaves out scenarios that another beats by that share (> 0, < 1) in the predictions of
    /// models, and those whose models fit no pool (SweepPruning). Absent: all are simulated. Not
    /// with a plan.
    std::optional<double> prune{};
};

/// Limit on the runs of a sweep unless scenario or command line gives one.
inline constexpr std::uint64_t usual_max_scenarios = 1'000'000;

/// Part `index` of `count`; the first is 1.
struct Shard {
    std::uint64_t index{1};
    std::uint64_t count{1};
};

/// Every run of a sweep, read and checked, but not compiled. If a scenario uses random draws, run
/// number i is scenario i / seeds with its seed number i % seeds. Else each scenario runs once, and
/// i is its number.
class SweepPlan {
  public:
    /// Throws ScenarioError with the mistakes of all scenarios, each once; if there is nothing to
    /// sweep; for more runs than the limit, with their number; and if a scenario has another plan
    /// than the given one.
    explicit SweepPlan(const SweepRequest& request);

    [[nodiscard]] const Scenario& base() const { return base_->scenario; }
    [[nodiscard]] const VariantGrid& grid() const { return *grid_; }
    /// Number of scenarios: those of the grid, then those that add() added.
    [[nodiscard]] std::size_t num_scenarios() const { return hashes_.size(); }
    /// The values of a scenario, by path.
    [[nodiscard]] std::vector<std::string> values_of(std::size_t scenario) const;
    /// Finished rounds of refining.
    [[nodiscard]] std::uint64_t refined() const { return refined_; }
    void set_refined(std::uint64_t rounds) { refined_ = std::max(refined_, rounds); }
    [[nodiscard]] std::span<const PlannedRun> runs() const { return runs_; }
    [[nodiscard]] std::uint64_t scenario_hash(std::size_t run) const {
        return hashes_[runs_[run].scenario];
    }
    /// Why a run is left out; empty: it is made.
    [[nodiscard]] std::string_view why_pruned(std::size_t run) const {
        return pruned_.empty() ? std::string_view{} : pruned_[runs_[run].scenario];
    }
    /// Number of plans of the runs that are made.
    [[nodiscard]] std::size_t num_plans() const;
    /// Files that the scenarios are read from, or name.
    [[nodiscard]] const InputFiles& inputs() const { return inputs_; }
    /// Hash of the content of each of them, except the scenario's own documents.
    [[nodiscard]] const std::map<std::string, std::uint64_t>& contents() const { return contents_; }
    /// Equal for sweeps with the same runs in the same order, of the same program and files.
    [[nodiscard]] std::uint64_t identity() const { return identity_; }

    /// The scenario of that number; read again unless it was kept. Thread-safe.
    [[nodiscard]] LoadedScenario load(std::size_t scenario) const;

    /// The plan of all runs, if the sweep is made from one; else null.
    [[nodiscard]] std::shared_ptr<const Compiled> compiled() const { return compiled_; }

    /// Whether a scenario with these values, by path, can be read and has the plan of the sweep, if
    /// it is made from one.
    [[nodiscard]] bool can_read(const std::vector<std::string>& values) const;

    /// Adds scenarios behind those there, each by its values, with the seeds of the grid. They are
    /// not pruned. Throws ScenarioError, also for more runs than the limit.
    void add(std::span<const std::vector<std::string>> scenarios);

    /// Throws ScenarioError if this number of scenarios has more runs than the limit.
    void check_limit(std::uint64_t scenarios) const;

    /// Most runs of a scenario.
    [[nodiscard]] std::size_t most_runs() const { return most_runs_; }

    /// Runs of a shard, by number, with equal estimated time. Plans stay whole unless they are more
    /// than a small part of all runs.
    [[nodiscard]] std::vector<std::size_t> runs_of(const Shard& shard) const;

    /// All runs in chunks for `workers` (>= 1), which take one after the other, longest first.
    /// Short plans are joined; plans stay whole unless one worker would finish too late.
    [[nodiscard]] std::vector<std::vector<std::size_t>> chunks_for(std::uint64_t workers) const;

  private:
    [[nodiscard]] std::vector<Override> sets_of(std::size_t scenario) const;
    [[nodiscard]] std::vector<Override> sets_for(const std::vector<std::string>& values) const;
    [[nodiscard]] LoadedScenario read(std::vector<Override> sets) const;
    void expand(const SweepRequest& request);
    void plan_scenario(std::size_t number, LoadedScenario loaded);
    void prune(std::vector<std::string> reasons);
    void check_plan(const CompiledPlan& plan) const;
    void identify(const SweepRequest& request, const std::vector<std::string>& files);
    void add_to_identity(std::size_t first_run);

    /// A scenario as it was read.
    struct Kept {
        LoadedScenario loaded;
        bool has_one_run{}; ///< its one reader takes it; else readers copy it
        bool is_taken{};
    };

    std::unique_ptr<ScenarioLoader> loader_;
    mutable std::mutex loading_;
    std::unique_ptr<LoadedScenario> base_;
    std::unique_ptr<VariantGrid> grid_;
    std::shared_ptr<const Compiled> compiled_;
    bool has_block_{}; ///< the scenario has a `sweep`, which its variants do not read again
    std::vector<std::uint64_t> seeds_;
    std::size_t most_runs_{};
    std::uint64_t limit_{};                       ///< of runs
    std::vector<std::vector<std::string>> added_; ///< values of the scenarios behind the grid
    std::uint64_t refined_{};
    std::vector<PlannedRun> runs_;
    std::vector<std::uint64_t> hashes_; ///< by scenario
    std::vector<std::string> pruned_;   ///< by scenario, why it is not simulated; empty: all are
                                        ///< simulated
    mutable std::deque<Kept> kept_;     ///< the first scenarios, so that they are read once; under
                                        ///< `loading_` if one can be taken
    InputFiles inputs_;
    std::map<std::string, std::uint64_t> contents_;
    std::uint64_t identity_{};
};

}} // namespace bursar::tools
