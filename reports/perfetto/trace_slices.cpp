#include "reports/perfetto/trace_slices.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace bursar { inline namespace reports {
namespace {

constexpr double usd_per_unit = 1.0 / 3.6e18;
constexpr double hours_per_slot_ms = 1.0 / (3.6e6 * slots_per_gpu);

/// Slots of the gang that stalled while it was at work.
std::int64_t stalled_slots(const Result& result, const ResultAttempt& attempt) {
    if (!is_kept(result.jobs.state[attempt.job]))
        return 0;
    return attempt.stopped ? result.stopped.stalled(*attempt.stopped)
                           : result.jobs.stalled(attempt.job);
}

} // namespace

AttemptSlice::AttemptSlice(const Result& result, const ResultAttempt& attempt, std::string name)
    : name_{std::move(name)}, category_{end_cause(result, attempt)},
      notes_{{{"tenant", std::string_view{result.tenants[result.jobs.tenant[attempt.job]]}},
              {"gpus", std::int64_t{result.jobs.gpus[attempt.job]}},
              {"attempt", static_cast<std::int64_t>(attempt.number)},
              {"cost",
               static_cast<double>(
                   result.pools[attempt.pool]
                       .price.cost(result.jobs.slots(attempt.job), attempt.start, attempt.end)
                       .count()) *
                   usd_per_unit}}},
      flow_{attempt.stopped || attempt.number > 1 ? attempt.job + 1 : 0} {}

PhaseSlice::PhaseSlice(const Result& result,
                       const ResultAttempt& attempt,
                       const AttemptPhase& phase) {
    std::vector<LeafTime> parts{phase.parts.begin(),
                                phase.parts.begin() + static_cast<std::ptrdiff_t>(phase.num_parts)};
    std::ranges::stable_sort(parts, std::ranges::greater{}, &LeafTime::held);
    const std::int64_t slots = result.jobs.slots(attempt.job);
    const std::int64_t stalled = phase.is_work ? stalled_slots(result, attempt) : 0;
    const auto hours = [](std::int64_t of_slots, Duration held) {
        return static_cast<double>(of_slots) * static_cast<double>(held.count()) *
               hours_per_slot_ms;
    };
    for (const LeafTime& part : parts) {
        categories_.push_back(part.leaf);
        const bool stalls = stalled > 0 && part.leaf.starts_with("prod");
        notes_.push_back({part.leaf, hours(slots - (stalls ? stalled : 0), part.held)});
        if (stalls)
            notes_.push_back({"stalled", hours(stalled, part.held)});
    }
}

}} // namespace bursar::reports
