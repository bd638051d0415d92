#include "reports/summary/largest_drain.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/units/int128.hpp"

#include "reports/bill/bill_table.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/result/result_attempt.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

struct Advice {
    Leaf leaf{};
    std::string_view text;
};

constexpr std::array advice{
    Advice{Leaf::unavail_reserved_unlaunched,
           "buy in steps or terms that the run fills (`billing`, `term`)"},
    Advice{Leaf::unavail_provisioning,
           "boot faster, or keep nodes longer (`boot`, `idle_timeout`, `provisioning`)"},
    Advice{Leaf::unavail_down, "repair faster, or buy what fails less often (`failures`)"},
    Advice{Leaf::unavail_maintenance, "maintain fewer nodes at a time, or less often"},
    Advice{Leaf::unavail_asleep, "keep fewer nodes asleep"},
    Advice{Leaf::unavail_spare, "keep fewer spares"},
    Advice{Leaf::idle_ineligible,
           "let more classes use these pools (`pools`), or tenants borrow more (`tenants`)"},
    Advice{Leaf::idle_fragmented,
           "pack gangs closer, or let smaller ones pass (`policy.placement`)"},
    Advice{Leaf::idle_latency,
           "decide more often (`policy.rounds`, and `recompute` of an allocator)"},
    Advice{Leaf::over_startup, "start faster (`startup`)"},
    Advice{Leaf::over_checkpoint, "save less often, or faster (`checkpoint`)"},
    Advice{Leaf::over_recovery, "interrupt less, or restart faster (`restart`)"},
    Advice{Leaf::over_hang, "notice faults sooner (`detect`, `hang_detect`)"},
    Advice{Leaf::over_teardown, "release GPUs sooner (`teardown`)"},
    Advice{Leaf::stall_input, "feed data faster"},
    Advice{Leaf::stall_comm, "place gangs narrower, or give them faster links (`locality`)"},
    Advice{Leaf::stall_bubble, "use fewer pipeline stages, or more micro-batches (`parallelism`)"},
    Advice{Leaf::stall_sync, "find what the slowest peers wait for"},
    Advice{Leaf::stall_no_work, "hold GPUs only while there are requests"},
    Advice{Leaf::lost_failure, "save more often (`checkpoint`)"},
    Advice{Leaf::lost_preempt,
           "save before jobs are stopped, or stop fewer (`checkpoint`, "
           "`policy.preemption`)"},
    Advice{Leaf::lost_job_failed, "stop jobs that will fail earlier"},
    Advice{Leaf::lost_cancelled, "cancel unwanted jobs earlier"},
    Advice{Leaf::lost_duplicate, "run fewer copies"},
    Advice{Leaf::lost_stopped, "stop trials earlier, or try fewer (`trials`)"},
    Advice{Leaf::stall_interference,
           "share GPUs only between jobs that slow each other down less (`packing_gain`)"},
};

/// The pool on which most dollars of a leaf went, the first of equals; null where there are none.
const ResultPool* largest_pool(const Result& result, Leaf leaf) {
    std::vector<Money> cost(result.pools.size());
    for (const ResultCell& cell : result.cells)
        if (cell.leaf == leaf)
            cost[cell.pool] += cell.cost;
    const auto largest = std::ranges::max_element(cost);
    return largest == cost.end()
               ? nullptr
               : &result.pools[static_cast<std::size_t>(std::distance(cost.begin(), largest))];
}

/// Advice on time without demand, by how a pool is paid.
std::string_view advice_on_no_demand(const ResultPool& pool) {
    if (!pool.keeps_all())
        return "keep fewer nodes of pool {} up (`nodes`, `warm`), or end idle ones sooner "
               "(`idle_timeout`); the faster they boot, the less jobs wait for it";
    switch (pool.purchase) {
    case Purchase::owned:
        return "own fewer nodes in pool {}, and rent for the peaks of demand (on demand, `nodes: "
               "0..N`)";
    case Purchase::reserved:
        return "reserve fewer nodes in pool {}, or for a cheaper `term`, and rent for the peaks of "
               "demand (on demand, `nodes: 0..N`)";
    case Purchase::on_demand:
    case Purchase::spot:
        break;
    }
    return "let idle nodes of pool {} end (`nodes: 0..N`): it pays for a fixed number, used or not";
}

/// One time that a job waited for GPUs.
struct Wait {
    std::int64_t begin_ms{}, end_ms{};
    std::int64_t slots{};
    bool is_for_node{}; ///< a node of its gang went out of service
};

/// All of them, over the whole run.
std::vector<Wait> waits_of(const Result& result) {
    const JobColumns& jobs = result.jobs;
    std::vector<Wait> waits;
    std::vector<Wait> open(jobs.size()); // of each job, since it was eligible or its last stop
    for (std::size_t job = 0; job < jobs.size(); ++job)
        open[job] = {jobs.eligible(job), result.end.count(), jobs.slots(job), false};
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        Wait& wait = open[attempt.job];
        wait.end_ms = attempt.start.count();
        waits.push_back(wait);
        const StopCause cause =
            attempt.stopped ? result.stopped.cause_of(*attempt.stopped) : StopCause::none;
        wait.is_for_node = cause == StopCause::node_failed || cause == StopCause::hung ||
                           cause == StopCause::maintenance;
        wait.begin_ms = attempt.end.count();
        wait.end_ms = result.end.count();
    });
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (jobs.state[job] == JobState::queued || jobs.state[job] == JobState::preempted ||
            jobs.state[job] == JobState::dropped) {
            if (jobs.state[job] == JobState::dropped)
                open[job].end_ms = jobs.finish_ms[job];
            waits.push_back(open[job]);
        }
    return waits;
}

/// Whether most of the time during which jobs wait, several do.
bool several_wait(const std::vector<Wait>& waits) {
    std::vector<std::pair<std::int64_t, int>> changes;
    for (const Wait& wait : waits) {
        changes.emplace_back(wait.begin_ms, 1);
        changes.emplace_back(wait.end_ms, -1);
    }
    std::ranges::sort(changes);
    std::int64_t alone_ms = 0;
    std::int64_t several_ms = 0;
    std::int64_t before_ms = 0;
    int num = 0;
    for (const auto& [time_ms, change] : changes) {
        if (num > 0)
            (num == 1 ? alone_ms : several_ms) += time_ms - before_ms;
        before_ms = time_ms;
        num += change;
    }
    return several_ms > alone_ms;
}

/// Advice on GPUs that are too few for the gangs that wait, by what these wait for.
std::string advice_on_gangs(const Result& result) {
    const std::string passing = "let jobs pass gangs that wait (`policy.head`, `policy.backfill`)";
    const ResultPool* pool = largest_pool(result, Leaf::idle_gang);
    const std::vector<Wait> waits = waits_of(result);
    if (pool == nullptr || waits.empty())
        return passing;
    int128 for_nodes = 0;
    int128 all = 0;
    for (const Wait& wait : waits) {
        const int128 slot_ms = int128{wait.slots} * (wait.end_ms - wait.begin_ms);
        all += slot_ms;
        for_nodes += wait.is_for_node ? slot_ms : 0;
    }
    if (2 * for_nodes > all)
        return fmt::format("keep a spare node for gangs that wait for a repair in pool {} ({}), or "
                           "repair faster",
                           pool->name,
                           pool->has_range() ? "`warm`" : "`spares`");
    const PolicyLabels& policy = result.run.policy;
    const bool may_pass = policy.head == "skip" || policy.backfill != "none";
    if (several_wait(waits) && !may_pass)
        return passing;
    return fmt::format("size pool {} in multiples of the gangs that wait (`nodes`), or let these "
                       "be smaller",
                       pool->name);
}

} // namespace

std::optional<LargestDrain> largest_drain(const Result& result) {
    const LeafSums sums = leaf_sums(result);
    std::optional<LargestDrain> largest;
    for (std::size_t i = 0; i < num_leaves; ++i) {
        const auto leaf = static_cast<Leaf>(i);
        if (group_of(leaf) == LeafGroup::productive)
            continue;
        if (sums.cost[i] > (largest ? largest->cost : Money{}))
            largest = {leaf, sums.cost[i], sums.held[i]};
    }
    return largest;
}

std::string advice_on(Leaf leaf, const Result& result) {
    if (leaf == Leaf::idle_no_demand) {
        const ResultPool* pool = largest_pool(result, leaf);
        return pool == nullptr ? ""
                               : fmt::format(fmt::runtime(advice_on_no_demand(*pool)), pool->name);
    }
    if (leaf == Leaf::idle_gang)
        return advice_on_gangs(result);
    const auto barred_jobs = [](const ResultBudget& budget) { return !budget.stops.empty(); };
    if (leaf == Leaf::idle_ineligible && std::ranges::any_of(result.run.budgets, barred_jobs))
        return "raise the budget that was spent (`budgets`), or let more classes use these pools "
               "(`pools`)";
    for (const Advice& one : advice)
        if (one.leaf == leaf)
            return std::string{one.text};
    return "";
}

std::string drain_sentence(const Result& result) {
    const std::optional<LargestDrain> drain = largest_drain(result);
    if (!drain)
        return "";
    OutputOptions by_leaf; // the figures that the bill prints for this leaf
    by_leaf.group_by = GroupBy::leaf;
    by_leaf.all = true;
    const std::vector<BillRow> leaves = bill_table(result, by_leaf).rows;
    const BillRow& leaf = *std::ranges::find(leaves, name_of(drain->leaf), &BillRow::label);
    return fmt::format("{}, {}: {} USD, {} % of what GPU time cost; to reduce it, {}",
                       group_title(group_of(drain->leaf)),
                       leaf_title(drain->leaf),
                       grouped_text(leaf.usd_cents, 2),
                       grouped_text(leaf.usd_permille, 1),
                       advice_on(drain->leaf, result));
}

}} // namespace bursar::reports
