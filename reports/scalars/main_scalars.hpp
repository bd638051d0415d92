#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace bursar { inline namespace reports {

/// A scalar that people compare runs by.
struct MainScalar {
    std::string_view name; ///< as in the table of scalars
    std::string_view title;
    std::string_view above; ///< the same in two lines, over a narrow column
    std::string_view below;
    bool is_bound{}; ///< says something only where jobs are unfinished
    bool is_rare{};  ///< counts what happens in few runs: left out where it is 0 in all
};

/// In the order in which comparisons show them.
inline constexpr std::array main_scalars{
    MainScalar{"cost.total", "total cost, USD", "total", "USD"},
    MainScalar{
        "cost.per_productive_gpu_hour", "USD per productive GPU-hour", "USD per", "prod. GPU-h"},
    MainScalar{"energy.kwh", "energy, kWh", "energy", "kWh"},
    MainScalar{"carbon.kg", "carbon, kg CO2e", "carbon", "kg CO2e"},
    MainScalar{"ratios.goodput", "goodput", "", "goodput"},
    MainScalar{"gpu_hours.lost_work", "lost work, GPU-hours", "GPU-h", "lost", false, true},
    MainScalar{"gpu_hours.by_leaf.over.checkpoint",
               "checkpointing, GPU-hours",
               "GPU-h",
               "ckpt.",
               false,
               true},
    MainScalar{"events.reclaims", "nodes taken back", "nodes", "taken back", false, true},
    MainScalar{"events.node_failures", "failures of nodes", "node", "failures", false, true},
    MainScalar{"events.budget_stops", "stops by budgets", "stops by", "budgets", false, true},
    MainScalar{"metrics.jobs_finished", "jobs finished", "jobs", "finished"},
    MainScalar{"metrics.deadlines.missed", "missed deadlines", "missed", "deadlines"},
    MainScalar{"metrics.jct_s.mean", "mean JCT", "mean", "JCT"},
    MainScalar{"metrics.jct_s.p99", "p99 JCT", "p99", "JCT"},
    MainScalar{"metrics.wait_s.mean", "mean wait", "mean", "wait"},
    MainScalar{"metrics.wait_s.p99", "p99 wait", "p99", "wait"},
    MainScalar{"metrics.jct_at_least_s.mean",
               "mean JCT with unfinished jobs, at least",
               "mean JCT,",
               "at least",
               true},
    MainScalar{"metrics.wait_at_least_s.mean",
               "mean wait with unfinished jobs, at least",
               "mean wait,",
               "at least",
               true},
    MainScalar{"metrics.wait_at_least_s.p99",
               "p99 wait with unfinished jobs, at least",
               "p99 wait,",
               "at least",
               true},
    MainScalar{"metrics.queued_total_s.mean", "mean time queued", "mean", "queued"},
    MainScalar{"metrics.makespan_s", "makespan", "make-", "span"},
    MainScalar{
        "metrics.priority_wait_s.mean", "mean wait of high-priority jobs", "high-prio.", "wait"},
    MainScalar{"metrics.preemptions", "preemptions", "preemp-", "tions"},
    MainScalar{"metrics.placement.wait_gpu_hours",
               "GPU-hours waiting for placement",
               "GPU-h waiting",
               "for placement"},
    MainScalar{"metrics.placement.gained_gpu_hours",
               "GPU-hours gained by placement",
               "GPU-h gained",
               "by placement"},
    MainScalar{"metrics.placement.lost_gpu_hours",
               "GPU-hours lost to placement",
               "GPU-h lost",
               "to placement"},
};

/// Whether a main scalar says something only where jobs are unfinished.
constexpr bool is_bound(std::string_view name) {
    return std::ranges::find(main_scalars, name, &MainScalar::name)->is_bound;
}

/// Its title for people; name: of a main scalar.
constexpr std::string_view title_of(std::string_view name) {
    return std::ranges::find(main_scalars, name, &MainScalar::name)->title;
}

}} // namespace bursar::reports
