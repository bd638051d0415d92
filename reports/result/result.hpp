#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/calibration/error_range.hpp"
#include "models/units/units.hpp"

#include "sim/ledger/leaf.hpp"
#include "sim/plan/notes.hpp"
#include "sim/plan/plan_energy.hpp"
#include "sim/plan/purchase.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/record/metrics.hpp"

#include "reports/repeats/repeats.hpp"
#include "reports/result/budget.hpp"
#include "reports/result/pool_price.hpp"
#include "reports/result/result_columns.hpp"

namespace bursar { inline namespace sim {
struct Labels;
struct Outcome;
struct TimelineRow;
}} // namespace bursar::sim

namespace bursar { inline namespace reports {

/// Of `summary.json` and `goodput.json`: raised whenever a reader of the old one would be wrong.
inline constexpr std::int64_t schema_version = 1;

/// A charge that is not GPU time: storage, egress, licences.
struct OtherCost {
    std::string name;
    Money cost;

    bool operator==(const OtherCost&) const = default;
};

/// The policies of a run, as in a scenario: "las", "{name: las, by: time}".
struct PolicyLabels {
    std::string queue, head, capacity, placement, broker;
    std::string allocator; ///< empty: none
    std::string backfill;
    std::string preemption; ///< as written, or that of the queue order
    std::string estimates;  ///< run times that the scheduler expects
    std::string precision;  ///< number format of jobs whose class names none
    std::string staging;    ///< of images and data ahead of starts
    std::string rounds;     ///< "6 min"; empty: none
    std::string preset;     ///< that set defaults; empty: none

    bool operator==(const PolicyLabels&) const = default;
};

/// One of the labels, under the name that reports give it.
struct PolicyLabel {
    std::string_view name;
    std::string PolicyLabels::*text;
};
inline constexpr PolicyLabel policy_labels[]{{"queue", &PolicyLabels::queue},
                                             {"head", &PolicyLabels::head},
                                             {"capacity", &PolicyLabels::capacity},
                                             {"placement", &PolicyLabels::placement},
                                             {"broker", &PolicyLabels::broker},
                                             {"allocator", &PolicyLabels::allocator},
                                             {"backfill", &PolicyLabels::backfill},
                                             {"preemption", &PolicyLabels::preemption},
                                             {"estimates", &PolicyLabels::estimates},
                                             {"precision", &PolicyLabels::precision},
                                             {"staging", &PolicyLabels::staging},
                                             {"rounds", &PolicyLabels::rounds},
                                             {"preset", &PolicyLabels::preset}};

/// Sources of a price that reports need not explain.
inline constexpr std::string_view plain_price_bases[]{"declared", "owned cost"};

/// A currency in which totals are shown beside dollars, at one rate for the whole run.
struct BillCurrency {
    std::string code;        ///< "EUR"
    std::int64_t nano_usd{}; ///< value of one unit, > 0
    std::string day;         ///< of that rate: "2026-01-31"; may be empty
    std::string source;      ///< of that rate; may be empty

    bool operator==(const BillCurrency&) const = default;
};

/// Facts of a run that the engine does not report.
struct RunFacts : Notes {
    std::string version; ///< of the tool, with its commit
    std::string scenario_name;
    std::string scenario_text{}; ///< after include and --set, as YAML; empty: not known
    std::uint64_t scenario_hash{};
    std::uint64_t seed{};
    std::chrono::nanoseconds wall{};        ///< the simulation, without reading files; 0: not known
    std::chrono::nanoseconds policy_time{}; ///< the part of `wall` spent deciding
    std::uint64_t peak_rss_bytes{};
    PolicyLabels policy;
    std::vector<std::string> price_basis; ///< per pool, the source of its rate; may be empty
    std::vector<OtherCost> other_costs;
    std::optional<BillCurrency> currency{}; ///< absent: dollars alone
    std::vector<ResultMonth> months;        ///< that costs are shown by; empty: none
    std::vector<ResultBudget> budgets;
    std::vector<std::string> trace_notes; ///< what the trace reader counted, skipped or changed

    bool operator==(const RunFacts&) const = default;
};

/// Counts of the nodes of a pool whose nodes come, go or fail.
struct ResultNodes {
    bool is_range{}; ///< nodes are launched and terminated; else their number is fixed
    std::uint32_t least{}, most{}; ///< paid for at the same time
    std::uint32_t first{};         ///< of a range: up at the zero; not counted as launches
    std::uint32_t min{};           ///< of a range: kept also when no job needs them
    std::uint64_t launches{}, reclaimed{}, failures{}, failed_launches{};

    bool operator==(const ResultNodes&) const = default;
};

/// A pool as reports show it.
struct ResultPool {
    std::string name, gpu, region; ///< region "" where none is named
    Purchase purchase{Purchase::owned};
    std::uint32_t num_nodes{}, gpus_per_node{};
    PoolPrice price;
    std::optional<ResultNodes> nodes{}; ///< absent: all nodes are up all the time
    std::optional<PlanEnergy> energy{}; ///< absent, in all pools: not requested
    /// The intensity of its grid where it changes with time, in milligrams per kWh (GridSeries);
    /// absent: PlanEnergy::grid throughout.
    std::optional<PoolPrice> grid{};

    /// Whether nodes are launched and terminated, each paid for by itself; num_nodes is the
    /// maximum.
    [[nodiscard]] bool has_range() const { return nodes && nodes->is_range; }
    [[nodiscard]] std::int64_t num_gpus() const { return std::int64_t{num_nodes} * gpus_per_node; }
    /// Whether nodes are kept also while idle: none is terminated by the autoscaler.
    [[nodiscard]] bool keeps_all() const { return !has_range() || nodes->min == num_nodes; }
    /// What the whole pool costs over [begin, end).
    [[nodiscard]] Money cost_between(Duration begin, Duration end) const {
        return price.cost(num_gpus() * slots_per_gpu, begin, end);
    }
    /// Slot time of `slots` slots over [begin, end), times the intensity of the grid. Precondition:
    /// carbon was requested.
    [[nodiscard]] GridTime grid_time(std::int64_t slots, Duration begin, Duration end) const {
        return grid ? GridTime{grid->cost(slots, begin, end).count()}
                    : *energy->grid * slot_time(slots, end - begin);
    }
    bool operator==(const ResultPool&) const = default;
};

/// One non-zero cell of the ledger.
struct ResultCell {
    std::uint32_t pool{};
    std::optional<std::uint32_t> tenant; ///< absent: unavailable and idle time
    Leaf leaf{};
    SlotTime held{};
    Money cost{};
    GridTime grid{}; ///< `held` times the intensity of the grid, in pools where that changes

    bool operator==(const ResultCell&) const = default;
};

inline constexpr std::array<std::string_view, 4> purchase_names{
    "owned", "reserved", "on_demand", "spot"};

/// The same for readers.
inline constexpr std::array<std::string_view, 4> purchase_titles{
    "owned", "reserved", "on demand", "spot"};

/// A run time from a model, of one class of jobs, gang size and pool.
struct ModelledRun {
    std::string model; ///< what is trained
    std::string stack; ///< profile whose constants timed it
    std::uint32_t gpus{};
    std::uint32_t pool{};
    Duration run_time{}; ///< of one job, work alone, at its best placement
    /// The run time is `range_low` to `range_high` times as long in 80 % of cases; absent: not
    /// known.
    std::optional<double> range_low;
    std::optional<double> range_high;

    bool operator==(const ModelledRun&) const = default;

    /// The 80 % range of the run time; absent: not known.
    [[nodiscard]] std::optional<ErrorRange> range() const {
        return range_low && range_high ? std::optional{ErrorRange{*range_low, *range_high}}
                                       : std::nullopt;
    }
    /// Its larger side, as a share of the run time; absent: not known.
    [[nodiscard]] std::optional<double> error() const {
        return range() ? std::optional{range()->larger_side()} : std::nullopt;
    }
};

/// A finished run, from which every output is rendered; `result.json` stores it. It holds exact
/// integers and names, and does not refer to the plan. All text is valid UTF-8.
struct Result {
    RunFacts run;
    std::optional<std::int64_t> zero_utc_ms; ///< see Labels
    Duration end{};
    /// At its `until`; else when nothing runs or can start any more. Absent: an older result.
    std::optional<bool> ends_by_scenario{};
    Duration window_begin{}; ///< the ledger covers [window_begin, window_end)
    Duration window_end{};
    Duration measure_from{};            ///< jobs submitted in [measure_from, measure_to) are
    std::optional<Duration> measure_to; ///< measured; absent: all later jobs
    std::uint64_t events{};
    std::uint64_t num_started{}, num_finished{}, num_running_at_end{}, num_queued_at_end{};
    std::uint64_t fingerprint{};

    std::vector<ResultPool> pools;
    std::vector<std::string> tenants;
    std::vector<std::string> classes;  ///< of the scenario; empty: it has none
    std::vector<ModelledRun> modelled; ///< run times that are not in the trace
    std::vector<ResultCell> cells;     ///< ascending by (pool, tenant, leaf), no tenant last
    Metrics metrics;
    JobColumns jobs;
    StoppedColumns stopped;
    PlaceColumns places;
    PhaseColumns phases;
    TimelineColumns timeline;
    PeriodColumns periods;
    std::optional<Repeats> repeats; ///< present after a run with several seeds

    /// Whether the ledger covers the whole run. Counts of events always do.
    [[nodiscard]] bool covers_run() const {
        return window_begin == Duration{} && window_end == end;
    }
    /// Whether metrics include this job.
    [[nodiscard]] bool measures(std::size_t job) const {
        const Duration submit{jobs.submit_ms[job]};
        return jobs.state[job] != JobState::not_submitted && submit >= measure_from &&
               (!measure_to || submit < *measure_to);
    }
    /// What a part of a cell costs.
    [[nodiscard]] Money cost_of_period(std::size_t i) const {
        if (periods.cost_high.empty())
            return *pools[cells[periods.cell[i]].pool].price.rate() * periods.held(i);
        return Money{(int128{periods.cost_high[i]} << 40U) + periods.cost_low[i]};
    }
    bool operator==(const Result&) const = default;
};

/// Counts of interruptions by the world and by budgets, over the whole run.
struct RunEvents {
    std::uint64_t reclaims{}; ///< nodes reclaimed by their provider
    std::uint64_t node_failures{};
    std::uint64_t budget_stops{}; ///< BudgetStop
};

[[nodiscard]] inline RunEvents events_of(const Result& result) {
    RunEvents out;
    for (const ResultPool& pool : result.pools) {
        out.reclaims += pool.nodes ? pool.nodes->reclaimed : 0;
        out.node_failures += pool.nodes ? pool.nodes->failures : 0;
    }
    for (const ResultBudget& budget : result.run.budgets)
        out.budget_stops += budget.stops.size();
    return out;
}

/// The result of one run. `outcome.status` must be ok; rows may be empty where none were recorded
/// (jobs.csv is then empty and the metrics are null). Throws ReportError where the books do not
/// balance (check_books.hpp).
[[nodiscard]] Result make_result(const Plan& plan,
                                 const Labels& labels,
                                 const Outcome& outcome,
                                 const JobRows& rows,
                                 const std::vector<TimelineRow>& timeline,
                                 RunFacts facts);

}} // namespace bursar::reports
