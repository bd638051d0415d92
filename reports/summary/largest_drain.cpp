#include "reports/summary/largest_drain.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/leaf_sums.hpp"
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
    Advice{Leaf::idle_ineligible, "let more classes use these pools (`pools`)"},
    Advice{Leaf::idle_fragmented,
           "pack gangs closer, or let smaller ones pass (`policy.placement`)"},
    Advice{Leaf::idle_gang, "let jobs pass gangs that wait (`policy.head`, `policy.backfill`)"},
    Advice{Leaf::idle_latency, "decide more often (`policy.rounds`)"},
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
