#include "sim/engine/run.hpp"

#include <algorithm>

#include "sim/record/fingerprint.hpp"

namespace bursar {
namespace {

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

std::uint32_t Workspace::max_live(const Plan& plan) const {
    if (max_live_)
        return std::min(*max_live_, EventKey::max_slots);
    std::int64_t gpus = 0; // an attempt holds at least one
    for (const PlanPool& pool : plan.pools)
        gpus += pool.num_gpus();
    const std::int64_t jobs = static_cast<std::int64_t>(plan.num_jobs());
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(std::min(jobs, gpus), 1, EventKey::max_slots));
}

std::byte* Workspace::reserve(std::size_t size) {
    const std::size_t units = size / sizeof(Unit) + 1;
    if (block_.size() < units) {
        block_ = {}; // the old block is gone before the new one is asked for
        block_.resize(units);
    }
    return reinterpret_cast<std::byte*>(block_.data());
}

Outcome make_outcome(const Plan& plan, const RunState& state, std::uint32_t num_queued) {
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
