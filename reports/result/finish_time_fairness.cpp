#include "reports/result/finish_time_fairness.hpp"

#include <algorithm>
#include <cmath>

#include "models/units/int128.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The mean number of jobs in the system, waiting or running, while each finished job was: from its
/// was eligible to its finish, itself included. Of other jobs 0.
std::vector<double> jobs_in_system(const JobColumns& jobs) {
    struct Change {
        std::int64_t time_ms{};
        std::uint32_t job{};
        bool is_finish{};
    };
    std::vector<Change> changes;
    for (std::uint32_t job = 0; job < jobs.size(); ++job) {
        changes.push_back({jobs.eligible(job), job, false});
        if (has_finished(jobs.state[job]) || jobs.state[job] == JobState::dropped)
            changes.push_back({jobs.finish_ms[job], job, true});
    }
    std::ranges::sort(changes, {}, &Change::time_ms);
    std::vector<double> out(jobs.size());
    std::vector<int128> at_submit(jobs.size()); // of the integral over time
    int128 integral = 0;
    std::int64_t before_ms = 0;
    std::int64_t num = 0;
    for (const Change& change : changes) {
        integral += int128{num} * (change.time_ms - before_ms);
        before_ms = change.time_ms;
        num += change.is_finish ? -1 : 1;
        if (!change.is_finish) {
            at_submit[change.job] = integral;
            continue;
        }
        const std::int64_t span = change.time_ms - jobs.eligible(change.job);
        if (span > 0)
            out[change.job] =
                static_cast<double>(integral - at_submit[change.job]) / static_cast<double>(span);
    }
    return out;
}

std::int64_t slots_of_fleet(const Result& result) {
    std::int64_t slots = 0;
    for (const ResultPool& pool : result.pools)
        slots += pool.num_gpus() * std::int64_t{slots_per_gpu};
    return slots;
}

} // namespace

FinishTimeFairness::FinishTimeFairness(const Result& result)
    : jobs_{result.jobs}, in_system_{jobs_in_system(result.jobs)},
      fleet_slots_{static_cast<double>(std::max<std::int64_t>(slots_of_fleet(result), 1))} {}

std::optional<std::int64_t> FinishTimeFairness::rho_micro(std::size_t job) const {
    if (!has_finished(jobs_.state[job]) || jobs_.ideal_ms[job] <= 0)
        return std::nullopt;
    const double stretch = static_cast<double>(jobs_.slots(job)) * in_system_[job] / fleet_slots_;
    const auto span = static_cast<double>(jobs_.finish_ms[job] - jobs_.eligible(job));
    const auto ideal = static_cast<double>(jobs_.ideal_ms[job]);
    return std::llround(1e6 * span / (ideal * std::max(1.0, stretch)));
}

Distribution FinishTimeFairness::of_measured(const Result& result) const {
    std::vector<std::int64_t> values;
    for (std::size_t job = 0; job < jobs_.size(); ++job)
        if (const auto rho = result.measures(job) ? rho_micro(job) : std::nullopt)
            values.push_back(*rho);
    return distribution_of(values);
}

}} // namespace bursar::reports
