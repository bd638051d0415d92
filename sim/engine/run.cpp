#include "sim/engine/run.hpp"

#include "models/market/billing.hpp"

#include "sim/record/fingerprint.hpp"

namespace bursar {
namespace {

/// Capacity is billed in whole steps (an hour on demand, a term when reserved): what is billed past
/// the end of the run was paid and never launched.
void bill_unlaunched(const Plan& plan, RunState& state) {
    for (std::uint32_t pool = 0; pool < plan.pools.size(); ++pool) {
        const PlanPool& shape = plan.pools[pool];
        const Duration end{state.now_ms};
        state.ledger.charge(pool,
                            state.ledger.nobody(),
                            Leaf::unavail_reserved_unlaunched,
                            shape.num_gpus(),
                            end.count(),
                            billed(end, shape.billing_step).count());
    }
}

std::uint64_t fingerprint_of(const Outcome& outcome, std::uint64_t finish_hashes) {
    std::uint64_t hash = finish_hashes;
    for (const SlotTime& cell : outcome.cells) {
        const auto bits = static_cast<uint128>(cell.count());
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
    return hash;
}

} // namespace

Outcome make_outcome(const Plan& plan, RunState& state, std::uint32_t num_queued) {
    bill_unlaunched(plan, state);
    Outcome outcome;
    outcome.status = state.status;
    outcome.end = Duration{state.now_ms};
    outcome.window_begin = std::min(plan.measure_from, outcome.end);
    outcome.window_end = plan.measure_to ? std::min(*plan.measure_to, outcome.end) : outcome.end;
    outcome.num_pools = static_cast<std::uint32_t>(plan.pools.size());
    outcome.num_tenants = plan.num_tenants;
    const SlotTime* cells = state.ledger.cells();
    outcome.cells.assign(cells, cells + Ledger::num_cells(view_of(plan)));
    outcome.events = state.num_events;
    outcome.num_started = state.num_started;
    outcome.num_finished = state.num_finished;
    outcome.num_running_at_end = state.events.size();
    outcome.num_queued_at_end = num_queued;
    outcome.fingerprint = fingerprint_of(outcome, state.finish_hashes);
    return outcome;
}

} // namespace bursar
