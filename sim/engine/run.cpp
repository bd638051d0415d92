#include "sim/engine/run.hpp"

#include <algorithm>
#include <limits>

#include "sim/record/fingerprint.hpp"

namespace bursar { inline namespace sim {
namespace {

/// A leaf that came later counts only where it has time: other runs keep their fingerprints.
std::uint64_t fingerprint_of(const Outcome& outcome, std::uint64_t finish_hashes) {
    std::uint64_t hash = finish_hashes;
    for (std::size_t cell = 0; cell < outcome.cells.size(); ++cell) {
        const auto bits = static_cast<uint128>(outcome.cells[cell].count());
        if (bits == 0 && static_cast<Leaf>(cell % num_leaves) >= Leaf::lost_stopped)
            continue;
        hash = chain_hash(hash, static_cast<std::uint64_t>(bits >> 64U));
        hash = chain_hash(hash, static_cast<std::uint64_t>(bits));
    }
    for (const std::uint64_t count : {static_cast<std::uint64_t>(outcome.end.count()),
                                      outcome.num_started,
                                      outcome.num_finished,
                                      outcome.num_running_at_end,
                                      outcome.num_queued_at_end}) {
        hash = chain_hash(hash, count);
    }
    return outcome.num_dropped == 0 ? hash : chain_hash(hash, outcome.num_dropped);
}

/// How many attempts can run at once: each holds at least one GPU, or the least part of one that a
/// job requests.
std::int64_t max_attempts(const Plan& plan) {
    std::int64_t slots = 0;
    for (const PlanPool& pool : plan.pools)
        slots += pool.num_gpus() * slots_per_gpu;
    std::int64_t least = slots_per_gpu;
    for (const JobShape& shape : plan.shapes)
        least = std::min(least, shape.slots());
    return least == 0 ? static_cast<std::int64_t>(plan.num_jobs()) : slots / least;
}

/// Cost of each cell, from `money` if the price of its pool varies.
std::vector<Money> money_of(const Plan& plan, const Outcome& outcome, const Money* booked) {
    std::vector<Money> money(booked, booked + (booked == nullptr ? 0 : outcome.cells.size()));
    const std::size_t cells_of_pool = outcome.cells.size() / plan.pools.size();
    for (std::size_t cell = 0; cell < money.size(); ++cell) {
        const PlanPool& pool = plan.pools[cell / cells_of_pool];
        if (!pool.has_series())
            money[cell] = pool.rate * outcome.cells[cell];
    }
    return money;
}

} // namespace

ArenaSize Workspace::arena_size(const Plan& plan) const {
    const auto jobs = static_cast<std::int64_t>(plan.num_jobs());
    std::int64_t live = max_live_.value_or(0);
    std::int64_t resumed = live;
    if (!max_live_) {
        live = max_attempts(plan);
        resumed = jobs / 4 + 1;
    }
    const auto grown = [&](std::int64_t first, std::int64_t max) {
        return static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(std::min(first, max) << doublings_, 1, max));
    };
    const std::int64_t max = std::max<std::int64_t>(jobs, 1);
    const bool all_complete = !plan.drops_late() && std::ranges::all_of(plan.end, [](JobEnd end) {
        return end == JobEnd::completed;
    });
    const auto places = static_cast<std::int64_t>(plan.pools.size() * plan.num_paces());
    const std::int64_t max_provisional =
        std::min<std::int64_t>(max * places, std::numeric_limits<std::uint32_t>::max());
    return {grown(live, std::min<std::int64_t>(max, EventKey::max_slots)),
            grown(resumed, max),
            all_complete ? 0 : grown(live + resumed, max_provisional)};
}

bool Workspace::enlarge(const Plan& plan) {
    const ArenaSize before = arena_size(plan);
    ++doublings_;
    return !(arena_size(plan) == before);
}

std::byte* Workspace::reserve(std::size_t size) {
    const std::size_t units = size / sizeof(Unit) + 1;
    if (block_.size() < units) {
        block_ = {}; // frees the old block before allocating the new one
        block_.resize(units);
    }
    return reinterpret_cast<std::byte*>(block_.data());
}

Outcome make_outcome(const Plan& plan,
                     const RunTotals& totals,
                     const SlotTime* cells,
                     const Money* money,
                     const GridTime* grid,
                     const PoolLife* lives) {
    Outcome outcome;
    outcome.status = totals.status;
    outcome.end = Duration{totals.end_ms};
    outcome.busy_until = plan.moves() ? Duration{totals.busy_until_ms} : outcome.end;
    outcome.window_begin = std::min(plan.measure_from, outcome.end);
    outcome.window_end = plan.measure_to ? std::min(*plan.measure_to, outcome.end) : outcome.end;
    outcome.num_pools = static_cast<std::uint32_t>(plan.pools.size());
    outcome.num_tenants = plan.num_tenants;
    outcome.cells.assign(cells, cells + Ledger::num_cells(view_of(plan)));
    outcome.money = money_of(plan, outcome, money);
    if (grid != nullptr)
        outcome.grid.assign(grid, grid + outcome.cells.size());
    for (std::size_t pool = 0; plan.moves() && pool < outcome.num_pools; ++pool) {
        const PoolLife& life = lives[pool];
        outcome.nodes.push_back({Duration{life.paid_ms},
                                 life.least_launched,
                                 life.most_launched,
                                 life.num_launches,
                                 life.num_reclaimed,
                                 life.num_failures,
                                 life.num_failed_launches});
    }
    outcome.events = totals.num_events;
    outcome.num_started = totals.num_started;
    outcome.num_finished = totals.num_finished;
    outcome.num_dropped = totals.num_dropped;
    outcome.num_preempted = totals.num_preempted;
    outcome.num_preempted_without_progress = totals.num_preempted_without_progress;
    outcome.num_running_at_end = totals.num_running_at_end;
    outcome.num_queued_at_end = totals.num_queued_at_end;
    outcome.num_reservations = totals.num_reservations;
    outcome.fingerprint = fingerprint_of(outcome, totals.finish_hashes);
    return outcome;
}

Outcome make_outcome(const Plan& plan, const RunState& state, std::uint32_t num_queued) {
    return make_outcome(plan,
                        totals_of(state, num_queued),
                        state.ledger.cells(),
                        state.ledger.money(),
                        state.ledger.grid(),
                        plan.moves() ? &state.fleet[PoolId{0}] : nullptr);
}

}} // namespace bursar::sim
