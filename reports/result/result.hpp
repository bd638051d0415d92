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

#include "models/units/units.hpp"

#include "sim/ledger/leaf.hpp"
#include "sim/plan/plan_energy.hpp"
#include "sim/plan/purchase.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/record/metrics.hpp"

#include "reports/repeats/repeats.hpp"
#include "reports/result/budget.hpp"
#include "reports/result/pool_price.hpp"

namespace bursar::inline sim {
struct Labels;
struct Outcome;
struct TimelineRow;
} // namespace bursar::inline sim

namespace bursar::inline reports {

/// What `result.json` says it is; raised whenever a reader of the old one would be wrong.
inline constexpr std::int64_t schema_version = 1;

/// A charge that is not GPU time: storage, egress, licences.
struct OtherCost {
    std::string name;
    Money cost;

    bool operator==(const OtherCost&) const = default;
};

/// The policies of a run as a scenario would write them: "las", "{name: las, by: time}".
struct PolicyLabels {
    std::string queue, head, capacity, placement, broker;
    std::string backfill;
    std::string preemption; ///< what held: what is written, or the order's own
    std::string estimates;  ///< run times that the scheduler expects
    std::string precision;  ///< what jobs multiply in, where their class names no format
    std::string rounds;     ///< "6 min"; empty: none
    std::string preset;     ///< whose habits lie under them; empty: nobody's

    bool operator==(const PolicyLabels&) const = default;
};

/// One of the labels, under the name that reports give it.
struct PolicyLabel {
    std::string_view name;
    std::string PolicyLabels::*text;
    bool in_every_file{}; ///< else empty where an older file lacks it
};
inline constexpr PolicyLabel policy_labels[]{{"queue", &PolicyLabels::queue, true},
                                             {"head", &PolicyLabels::head, true},
                                             {"capacity", &PolicyLabels::capacity, true},
                                             {"placement", &PolicyLabels::placement, true},
                                             {"broker", &PolicyLabels::broker, true},
                                             {"backfill", &PolicyLabels::backfill},
                                             {"preemption", &PolicyLabels::preemption},
                                             {"estimates", &PolicyLabels::estimates},
                                             {"precision", &PolicyLabels::precision},
                                             {"rounds", &PolicyLabels::rounds},
                                             {"preset", &PolicyLabels::preset}};

/// Ways in which the price of a pool comes about that need no words.
inline constexpr std::string_view plain_price_bases[]{"declared", "owned cost"};

/// A currency that totals are shown in beside dollars, at one rate for the whole run.
struct BillCurrency {
    std::string code;        ///< "EUR"
    std::int64_t nano_usd{}; ///< what one of it is worth, > 0
    std::string day;         ///< of that rate: "2026-01-31"; may be empty
    std::string source;      ///< of that rate; may be empty

    bool operator==(const BillCurrency&) const = default;
};

/// What a result says about its run beside what the engine answered.
struct RunFacts {
    std::string version; ///< of the tool
    std::string scenario_name;
    std::uint64_t scenario_hash{};
    std::uint64_t seed{};
    std::chrono::nanoseconds wall{};        ///< the simulation, without reading files; 0: not known
    std::chrono::nanoseconds policy_time{}; ///< the part of `wall` spent deciding
    std::uint64_t peak_rss_bytes{};
    PolicyLabels policy;
    std::vector<std::string> price_basis; ///< per pool, how its rate came about; may be empty
    std::vector<OtherCost> other_costs;
    std::optional<BillCurrency> currency{}; ///< absent: dollars alone
    std::vector<ResultMonth> months;        ///< that costs are shown by; empty: none
    std::vector<ResultBudget> budgets;
    std::vector<std::string> warnings;
    std::vector<std::string> decisive;    ///< as `assumed`, and every figure rests on it: bills say
                                          ///< it in their first lines
    std::vector<std::string> assumed;     ///< taken for granted, the scenario does not say
    std::vector<std::string> unmodelled;  ///< asked for or usual, but not part of this run
    std::vector<std::string> trace_notes; ///< what the trace reader counted, skipped or changed

    bool operator==(const RunFacts&) const = default;
};

/// What became of the nodes of a pool whose world moves.
struct ResultNodes {
    bool is_range{}; ///< nodes are launched and end; else they are all there, up or not
    std::uint32_t least{}, most{}; ///< that were paid for at once
    std::uint32_t first{};         ///< of a range: that were up at the zero, which no launch counts
    std::uint32_t min{};           ///< of a range: kept though nobody needs them; of older files 0
    std::uint64_t launches{}, reclaimed{}, failures{}, failed_launches{};

    bool operator==(const ResultNodes&) const = default;
};

/// A pool as reports show it.
struct ResultPool {
    std::string name, gpu, region; ///< region "" where none is named
    Purchase purchase{Purchase::owned};
    std::uint32_t num_nodes{}, gpus_per_node{};
    PoolPrice price;
    std::optional<ResultNodes> nodes{}; ///< absent: they are all there and up all the time
    std::optional<PlanEnergy> energy{}; ///< absent, of all pools: nobody asked
    /// The intensity of its grid where it changes with time, in milligrams per kWh (GridSeries);
    /// absent: PlanEnergy::grid throughout.
    std::optional<PoolPrice> grid{};

    /// Whether nodes are launched and end, each paid for by itself; num_nodes is the most of them.
    [[nodiscard]] bool has_range() const { return nodes && nodes->is_range; }
    [[nodiscard]] std::int64_t num_gpus() const { return std::int64_t{num_nodes} * gpus_per_node; }
    /// Whether all of its nodes are kept, needed or not: none ends but by what takes it away.
    [[nodiscard]] bool keeps_all() const { return !has_range() || nodes->min == num_nodes; }
    /// What the whole pool costs over [begin, end).
    [[nodiscard]] Money cost_between(Duration begin, Duration end) const {
        return price.cost(num_gpus() * slots_per_gpu, begin, end);
    }
    /// `slots` slots over [begin, end), each times the intensity of its grid. Precondition: carbon
    /// is asked for.
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
    GridTime grid{}; ///< `held` times the intensity of its grid, in pools where that changes

    bool operator==(const ResultCell&) const = default;
};

/// How a job stood at the end of the run.
enum class JobState : std::uint8_t {
    completed,
    failed,
    cancelled,
    node_failed,
    running,
    queued,
    not_submitted,
    preempted ///< waits for its GPUs again
};

inline constexpr std::array<std::string_view, 8> job_state_names{"completed",
                                                                 "failed",
                                                                 "cancelled",
                                                                 "node_failed",
                                                                 "running",
                                                                 "queued",
                                                                 "not_submitted",
                                                                 "preempted"};
inline constexpr std::array<std::string_view, 4> purchase_names{
    "owned", "reserved", "on_demand", "spot"};

/// The same for people.
inline constexpr std::array<std::string_view, 4> purchase_titles{
    "owned", "reserved", "on demand", "spot"};

constexpr bool has_started(JobState state) {
    return state <= JobState::running || state == JobState::preempted;
}
constexpr bool has_finished(JobState state) {
    return state < JobState::running;
}

/// Whether the work done so far is, or still may be, of use.
constexpr bool is_kept(JobState state) {
    return state == JobState::completed || state == JobState::running ||
           state == JobState::preempted;
}

/// By StopCause.
inline constexpr std::array<std::string_view, 11> stop_cause_names{"none",
                                                                   "preempted",
                                                                   "reclaimed",
                                                                   "node_failed",
                                                                   "hung",
                                                                   "maintenance",
                                                                   "budget",
                                                                   "resized",
                                                                   "reclaimed_unsaved",
                                                                   "job_failed",
                                                                   "migrated"};

/// A run time that a model decides: of one class of jobs, gang size and pool.
struct ModelledRun {
    std::string model; ///< what is trained
    std::string stack; ///< profile whose constants timed it
    std::uint32_t gpus{};
    std::uint32_t pool{};
    Duration run_time{};         ///< of one job, work alone, where its place is best
    std::optional<double> error; ///< mean absolute error of that stack's step times on measurements
                                 ///< it did not see, as a share; absent: it was held against none

    bool operator==(const ModelledRun&) const = default;
};

/// One row per job in plan order (structure of arrays, columns of equal length). Times are over the
/// whole run, not cut to the measured window; 0 where the state says that they do not apply.
struct JobColumns {
    std::string names; ///< one after the other; job j is [name_end[j-1], name_end[j])
    std::vector<std::uint64_t> name_end; ///< empty with `names`: jobs are named by their index
    std::vector<JobState> state;
    std::vector<std::uint32_t> gpus;
    std::vector<std::uint16_t> tenant;
    std::vector<std::uint16_t> pool; ///< of its last attempt
    std::vector<std::int64_t> submit_ms;
    std::vector<std::int64_t> start_ms;  ///< first start
    std::vector<std::int64_t> finish_ms; ///< when its GPUs were released
    /// At work in its last attempt: held, without start-up or recovery, saves and teardown.
    std::vector<std::int64_t> work_ms;
    std::vector<std::uint8_t> level; ///< of its last attempt; empty where there is one level
    /// Start of the last attempt where it is not the first; empty where nothing was stopped.
    std::vector<std::int64_t> last_start_ms;
    /// Slots of the gang that stood still while it was at work, of jobs whose work was kept; empty
    /// where no job has any.
    std::vector<std::int64_t> stalled_slots;
    /// Of each of its GPUs; empty where all jobs have whole ones.
    std::vector<std::uint16_t> gpu_slots;
    /// Number from 1 of the modelled run that its pool gave it, 0: none; empty where all are none.
    std::vector<std::uint16_t> modelled;
    /// What the broker took a GPU-hour of its work to cost on the pool of its last attempt as that
    /// began, in nano-USD; empty where the broker goes by no cost.
    std::vector<std::int64_t> believed_cost;
    std::vector<std::int64_t> deadline_ms; ///< 0: it has none; empty where no job has one

    [[nodiscard]] std::size_t size() const { return state.size(); }
    /// Slots of the gang.
    [[nodiscard]] std::int64_t slots(std::size_t job) const {
        return gpus[job] * (gpu_slots.empty() ? std::int64_t{slots_per_gpu} : gpu_slots[job]);
    }
    [[nodiscard]] std::int64_t stalled(std::size_t job) const {
        return stalled_slots.empty() ? 0 : stalled_slots[job];
    }
    /// Start of the last attempt of a job that has started.
    [[nodiscard]] std::int64_t last_start(std::size_t job) const {
        return last_start_ms.empty() ? start_ms[job] : std::max(start_ms[job], last_start_ms[job]);
    }
    /// The name of `job`; absent when jobs are named by their index.
    [[nodiscard]] std::optional<std::string_view> name(std::size_t job) const {
        if (name_end.empty())
            return std::nullopt;
        const std::uint64_t begin = job == 0 ? 0 : name_end[job - 1];
        return std::string_view{names}.substr(begin, name_end[job] - begin);
    }
    bool operator==(const JobColumns&) const = default;
};

/// The attempts that were stopped, in the order in which they were (structure of arrays, columns of
/// equal length); see StoppedAttempt.
struct StoppedColumns {
    std::vector<std::uint32_t> job;
    std::vector<std::uint16_t> pool;
    std::vector<std::uint8_t> level;
    std::vector<std::int64_t> start_ms;
    std::vector<std::int64_t> stop_ms;
    std::vector<std::int64_t> kept_ms;
    std::vector<std::int64_t> lost_ms;
    std::vector<StopCause> cause; ///< empty where all were preempted
    /// Slots of the gang that stood still while it was at work; empty where no job has any.
    std::vector<std::int64_t> stalled_slots;
    std::vector<std::int64_t> believed_cost; ///< as of JobColumns

    [[nodiscard]] std::size_t size() const { return job.size(); }
    [[nodiscard]] std::int64_t stalled(std::size_t attempt) const {
        return stalled_slots.empty() ? 0 : stalled_slots[attempt];
    }
    [[nodiscard]] StopCause cause_of(std::size_t attempt) const {
        return cause.empty() ? StopCause::preempted : cause[attempt];
    }
    bool operator==(const StoppedColumns&) const = default;
};

/// The timeline in time order (structure of arrays, columns of equal length); see TimelineRow.
struct TimelineColumns {
    std::vector<std::int64_t> time_ms;
    std::vector<std::uint32_t> pool;
    std::vector<std::int64_t> allocated_slots;
    std::vector<std::uint32_t> queue_jobs;
    std::vector<std::int64_t> queue_slots;
    std::vector<std::int64_t> down_slots; ///< paid for, and can run nothing; empty: none ever
    std::vector<std::int64_t> off_slots;  ///< of nodes that are not there; empty: all always are

    [[nodiscard]] std::size_t size() const { return time_ms.size(); }
    bool operator==(const TimelineColumns&) const = default;
};

/// The cells divided by time, in the order of (bucket, cell) (structure of arrays, columns of equal
/// length). A cell is the sum of its parts.
struct PeriodColumns {
    Duration width{};  ///< of a bucket; 0: cells were not divided
    Duration origin{}; ///< where bucket 0 begins, <= 0
    std::vector<std::uint32_t> bucket;
    std::vector<std::uint32_t> cell; ///< its place in Result::cells
    std::vector<std::uint64_t> slot_ms;
    /// What it costs, in units of Money: times 2^40, and the rest; empty where every price is
    /// constant.
    std::vector<std::uint64_t> cost_high, cost_low;

    [[nodiscard]] std::size_t size() const { return bucket.size(); }
    [[nodiscard]] SlotTime held(std::size_t i) const {
        return SlotTime{int128{static_cast<std::int64_t>(slot_ms[i])}};
    }
    bool operator==(const PeriodColumns&) const = default;
};

/// A finished run as every output renders it and `result.json` stores it: exact integers and
/// names, nothing of the plan is needed any more. All text is valid UTF-8.
struct Result {
    RunFacts run;
    std::optional<std::int64_t> zero_utc_ms; ///< see Labels
    Duration end{};
    Duration window_begin{}; ///< the ledger covers [window_begin, window_end)
    Duration window_end{};
    Duration measure_from{};            ///< jobs submitted in [measure_from, measure_to) are
    std::optional<Duration> measure_to; ///< measured; absent: all later ones, too
    std::uint64_t events{};
    std::uint64_t num_started{}, num_finished{}, num_running_at_end{}, num_queued_at_end{};
    std::uint64_t fingerprint{};

    std::vector<ResultPool> pools;
    std::vector<std::string> tenants;
    std::vector<ModelledRun> modelled; ///< run times that no trace says
    std::vector<ResultCell> cells;     ///< ascending by (pool, tenant, leaf), no tenant last
    Metrics metrics;
    JobColumns jobs;
    StoppedColumns stopped;
    TimelineColumns timeline;
    PeriodColumns periods;
    std::optional<Repeats> repeats; ///< where the scenario was run with several seeds

    /// Whether the ledger covers the whole run, as counts of what happened always do.
    [[nodiscard]] bool covers_run() const {
        return window_begin == Duration{} && window_end == end;
    }
    /// Whether the metrics are over this job, among others.
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

/// The result of one run. `outcome.status` must be ok; rows may be empty where none were recorded
/// (jobs.csv is then empty and the metrics are null). Throws ReportError where the books do not
/// balance (check_books.hpp).
[[nodiscard]] Result make_result(const Plan& plan,
                                 const Labels& labels,
                                 const Outcome& outcome,
                                 const JobRows& rows,
                                 const std::vector<TimelineRow>& timeline,
                                 RunFacts facts);

} // namespace bursar::inline reports
