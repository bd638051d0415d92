#include "policies/runs/round_limit.hpp"

#include <algorithm>

#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar { inline namespace policies {
namespace {

/// What is repeated at every round; empty: nothing.
std::string_view done_at_every_round(const PolicyChoice& choice) {
    const std::string_view preemption = preemption_of(choice);
    if (preemption == PreemptByQuantum::name)
        return "jobs take turns";
    if (preemption == PreemptByValue::name)
        return "the worth of every stop is weighed";
    if (preemption == PreemptByOrder::name && choice.queue == LeastAttainedFirst::name &&
        LeastAttainedFirst::from(choice.queue_options).tests_at_events())
        return "attained service is looked at";
    return {};
}

} // namespace

std::optional<std::string> round_limit(const Plan& plan, const PolicyChoice& choice) {
    const std::string_view what = done_at_every_round(choice);
    if (choice.quantum == Duration{} || what.empty() || plan.num_jobs() == 0)
        return std::nullopt;
    std::int64_t last_ms = 0; // the run lasts at least to here
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        last_ms = std::max(last_ms, plan.submit_ms[job] + plan.work_ms[job]);
    const std::int64_t rounds = plan.until.value_or(Duration{last_ms}) / choice.quantum;
    if (rounds <= max_rounds)
        return std::nullopt;
    return "too many rounds (at each " + std::string{what} + ", and there may be " +
           std::to_string(rounds) + "; at most " + std::to_string(max_rounds) +
           "); give longer ones, or an earlier `until`";
}

}} // namespace bursar::policies
