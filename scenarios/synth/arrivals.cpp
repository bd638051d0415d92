#include "scenarios/synth/arrivals.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/random/normal.hpp"
#include "models/random/philox.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr double seconds_per_hour = 3600;
constexpr double seconds_per_day = 24 * seconds_per_hour;

/// The daily cycle: time as the clock has it, and time in which submissions come evenly.
class DailyCycle {
  public:
    explicit DailyCycle(const std::array<double, 24>& hours) {
        double sum = 0;
        for (const double rate : hours)
            sum += rate;
        for (std::size_t h = 0; h < hours.size(); ++h)
            even_by_[h + 1] = even_by_[h] + hours[h] / sum * seconds_per_day;
        even_by_.back() = seconds_per_day;
    }

    [[nodiscard]] double even_from_clock(double clock_s) const {
        const double days = std::floor(clock_s / seconds_per_day);
        const double within = clock_s - days * seconds_per_day;
        const auto h = std::min<std::size_t>(23, static_cast<std::size_t>(within / 3600));
        const double into_hour = (within - static_cast<double>(h) * seconds_per_hour) / 3600;
        return days * seconds_per_day + even_by_[h] + into_hour * length(h);
    }

    [[nodiscard]] double clock_from_even(double even_s) const {
        const double days = std::floor(even_s / seconds_per_day);
        const double within = even_s - days * seconds_per_day;
        const auto after = std::upper_bound(even_by_.begin() + 1, even_by_.end() - 1, within);
        const auto h = static_cast<std::size_t>(after - even_by_.begin()) - 1;
        const double into_hour = std::min(1.0, (within - even_by_[h]) / length(h));
        return days * seconds_per_day + (static_cast<double>(h) + into_hour) * seconds_per_hour;
    }

  private:
    [[nodiscard]] double length(std::size_t h) const { return even_by_[h + 1] - even_by_[h]; }

    std::array<double, 25> even_by_{}; ///< even time gone by at each full hour
};

/// Running sums of the gaps, in units of the mean gap; the first is 0.
std::vector<double> even_times(const Burstiness& burst, std::size_t num_jobs, std::uint64_t seed) {
    const RandomStream random{seed, Stream::arrivals};
    const double calm_share = 1 - burst.burst_share;
    const double calm_gap = (1 - burst.burst_share * burst.burst_gap) / calm_share;
    const double leave = 1 / burst.burst_jobs;
    const double enter =
        leave * burst.burst_share / calm_share; // keeps the share of jobs in bursts
    enum Draw : std::uint32_t { gap, change, first_state };

    std::vector<double> times(num_jobs);
    bool bursting = random.uniform(0, first_state) < burst.burst_share;
    for (std::size_t job = 1; job < num_jobs; ++job) {
        const double mean = bursting ? burst.burst_gap : calm_gap;
        times[job] = times[job - 1] - portable_log(random.uniform(job, gap)) * mean;
        if (random.uniform(job, change) < (bursting ? leave : enter))
            bursting = !bursting;
    }
    return times;
}

} // namespace

std::vector<std::int64_t> arrival_times_s(const SyntheticProfile& profile,
                                          std::size_t num_jobs,
                                          std::int64_t span_s,
                                          std::uint64_t seed) {
    const std::vector<double> even = even_times(profile.burstiness, num_jobs, seed);
    std::vector<std::int64_t> submit(num_jobs, 0);
    if (num_jobs < 2)
        return submit;
    const DailyCycle cycle{profile.hours};
    const double scale = cycle.even_from_clock(static_cast<double>(span_s)) / even.back();
    for (std::size_t job = 1; job < num_jobs; ++job) {
        const double clock = cycle.clock_from_even(even[job] * scale);
        submit[job] = std::min(span_s, static_cast<std::int64_t>(clock));
    }
    submit.back() = span_s;
    return submit;
}

}} // namespace bursar::scenarios
