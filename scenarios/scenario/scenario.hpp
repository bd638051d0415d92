#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/market/discounts.hpp"
#include "models/storage/checkpoint_storage.hpp"
#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "policies/choice/policy_choice.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/topology_spec.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/read_values.hpp"
#include "scenarios/scenario/fleet_spec.hpp"
#include "scenarios/scenario/price_spec.hpp"
#include "scenarios/scenario/tenant_spec.hpp"
#include "scenarios/scenario/workload_spec.hpp"
#include "scenarios/variants/variants.hpp"

namespace bursar { inline namespace scenarios {

/// The key `sweep`: every combination of the axes' values, each with every seed.
struct SweepSpec {
    std::vector<Axis> axes;                      ///< in the order of writing
    std::vector<std::uint64_t> seeds{};          ///< empty: `num_seeds` seeds, from the first one
    std::optional<std::int64_t> num_seeds{};     ///< >= 1; absent: as many as the scenario repeats
    std::optional<std::int64_t> max_scenarios{}; ///< >= 1; absent: the program's limit
};

/// Places of choices, for mistakes that are found with the jobs or in the run. A choice that was
/// not written has the file as its place.
struct ChoicePlaces {
    Place queue;
    Place preemption;
    Place precision{};
    Place broker{};
    Place staging{};
    Place measure;
};

/// A scenario file: checked, with units, and with paths resolved against the file that named them.
struct Scenario {
    std::string file;
    std::string name;
    std::vector<std::string> inputs; ///< every file that it was read from or that it names
    std::variant<TraceWorkload, SyntheticSpec, JobList> workload;
    DependencyRule dependencies{DependencyRule::afterany};
    RunTimesSpec run_times{};
    std::vector<ClassSpec> classes;
    /// The profiles that the program chooses from for a class with a model and no `stack`; null if
    /// no document was read.
    std::shared_ptr<const Stacks> stacks;
    std::vector<std::pair<std::string, DeclaredShare>> shares; ///< by tenant; empty: all weigh 1
    std::vector<TenantSpec> tenants{};                         ///< empty: no quotas
    std::vector<Currency> currencies;                          ///< besides dollars
    std::string bill_currency{}; ///< one of them, for a second set of totals; empty: none
    std::vector<PoolSpec> fleet;
    std::optional<EnergySpec> energy{}; ///< of pools without their own
    std::vector<BudgetSpec> budgets{};
    std::string calendar{}; ///< time zone of calendar months; empty: no months
    std::vector<CommitmentSpec> commitments;
    std::vector<EgressSpec> egress{}; ///< the first row that matches counts
    std::vector<QuotaSpec> quotas{};
    PolicyChoice policy;
    std::string preset; ///< its preset; empty: none
    ChoicePlaces places;
    std::optional<Duration> until;
    bool until_last_submit{}; ///< the run ends with the last submit; `until` is absent then
    Duration measure_from{};
    std::optional<Duration> measure_to;
    std::int64_t seeds{1};
    std::optional<SweepSpec> sweep{}; ///< no part of a run, nor of `hash`
    /// Of the document after include and --set, and of the files with its models and stacks.
    std::uint64_t hash{};
    std::string text{};              ///< that document, as YAML
    std::uint64_t hash_but_policy{}; ///< `hash` as if there were no `policy`
    std::vector<Finding> warnings;
    std::vector<std::string> assumed;    ///< values that the scenario does not give
    std::vector<std::string> unmodelled; ///< not simulated in this version

    /// Whether energy is computed, for all pools: some pool or the scenario has `energy`.
    [[nodiscard]] bool asks_for_energy() const {
        return energy || std::ranges::any_of(
                             fleet, [](const PoolSpec& pool) { return pool.energy.has_value(); });
    }
};

/// Whether the scenario gives the end of its run; else the run ends with its last job.
inline bool has_end(const Scenario& scenario) {
    return scenario.until || scenario.until_last_submit;
}

/// Whether each seed draws its jobs out of blocks of a trace.
inline bool is_resampled(const Scenario& scenario) {
    const auto* trace = std::get_if<TraceWorkload>(&scenario.workload);
    return trace != nullptr && trace->is_resampled();
}

/// What the seed of a run draws, for people; empty: runs with different seeds are the same.
inline std::vector<std::string_view> drawn_by_seed(const Scenario& scenario) {
    std::vector<std::string_view> drawn;
    const auto add = [&](std::string_view what, bool is_drawn) {
        if (is_drawn)
            drawn.push_back(what);
    };
    const auto any_class = [&](auto has) { return std::ranges::any_of(scenario.classes, has); };
    const auto any_pool = [&](auto has) { return std::ranges::any_of(scenario.fleet, has); };
    add("jobs", std::holds_alternative<SyntheticSpec>(scenario.workload));
    const auto* list = std::get_if<JobList>(&scenario.workload);
    add("metrics of trials",
        list != nullptr && std::ranges::any_of(list->jobs, [](const auto& job) {
            return job.trials && job.trials->is_drawn();
        }));
    add("blocks of the trace", is_resampled(scenario));
    add("choices of the policies", draws_at_random(scenario.policy));
    add("failures of jobs", any_class([](const ClassSpec& spec) {
            return spec.failures || spec.overflow_restarts > 0;
        }));
    add("failures of nodes",
        any_pool([](const PoolSpec& pool) { return pool.failures && !pool.failures->log; }));
    add("slow nodes", any_pool([](const PoolSpec& pool) { return pool.stragglers.has_value(); }));
    add("failures of launches",
        any_pool([](const PoolSpec& pool) { return pool.launch_failures.has_value(); }));
    add("prices", any_pool([](const PoolSpec& pool) { return pool.drawn_price != nullptr; }));
    add("boot times",
        any_pool([](const PoolSpec& pool) { return pool.launches() && pool.boot.is_exponential; }));
    add("reclaims", any_pool([](const PoolSpec& pool) {
            return pool.availability && pool.availability->is_random();
        }));
    return drawn;
}

/// Whether runs with different seeds differ.
inline bool is_random(const Scenario& scenario) {
    return !drawn_by_seed(scenario).empty();
}

}} // namespace bursar::scenarios
