#include "scenarios/synth/synthesise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/random/normal.hpp"
#include "models/random/philox.hpp"
#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr double seconds_per_hour = 3600;
constexpr double seconds_per_day = 24 * seconds_per_hour;

/// The daily cycle: converts between clock time and a time in which submissions are uniform.
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

    std::array<double, 25> even_by_{}; ///< even time at each full hour
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

constexpr std::int64_t max_jobs =
    std::numeric_limits<std::uint32_t>::max();      // plans count in 32 bits
constexpr Duration max_span{std::int64_t{1} << 40}; // design limit of simulated time

[[noreturn]] void refuse(const SyntheticSpec& spec,
                         std::string_view key,
                         std::string problem,
                         std::string suggestion) {
    Finding finding;
    finding.place = spec.place;
    finding.path =
        spec.place.file.empty() ? std::string{key} : fmt::format("workload.synthetic.{}", key);
    finding.problem = std::move(problem);
    finding.suggestion = std::move(suggestion);
    throw ScenarioError{std::move(finding)};
}

void check(const SyntheticSpec& spec, const SyntheticProfile& profile) {
    if (spec.jobs < 1 || spec.jobs > max_jobs)
        refuse(spec, "jobs", fmt::format("{} jobs", spec.jobs), fmt::format("1 to {}", max_jobs));
    if (spec.gpus < 1)
        refuse(spec, "gpus", fmt::format("{} GPUs", spec.gpus), "at least 1");
    const std::int64_t smallest =
        std::ranges::min_element(profile.gangs, {}, &GangWeight::gpus)->gpus;
    if (spec.gpus < smallest)
        refuse(spec,
               "gpus",
               fmt::format("{} GPUs are fewer than the smallest gang of {}", spec.gpus, spec.like),
               fmt::format("at least {}", smallest));
    if (!(spec.load > 0) || !std::isfinite(spec.load))
        refuse(
            spec, "load", fmt::format("a load of {}", spec.load), "a number above 0, such as 0.95");
}

/// Draws rows of one table by weight.
template <class Row>
class Picker {
  public:
    Picker(const std::vector<Row>& rows, RandomStream random) : rows_{rows}, random_{random} {
        for (const Row& row : rows)
            total_ += static_cast<std::uint64_t>(row.weight);
    }

    [[nodiscard]] std::size_t operator()(std::uint64_t job, std::uint32_t n = 0) const {
        std::uint64_t left = random_.below(total_, job, n);
        std::size_t row = 0;
        while (left >= static_cast<std::uint64_t>(rows_[row].weight))
            left -= static_cast<std::uint64_t>(rows_[row++].weight);
        return row;
    }

  private:
    std::span<const Row> rows_;
    RandomStream random_;
    std::uint64_t total_{};
};

/// Run time in whole seconds from a profile's truncated lognormals.
class RunTimeSampler {
  public:
    RunTimeSampler(const SyntheticProfile& profile, std::uint64_t seed)
        : profile_{profile}, random_{seed, Stream::run_times} {
        for (const GangWeight& gang : profile.gangs) {
            const double gpus =
                static_cast<double>(gang.gpus) * (static_cast<double>(gang.gpu_milli) / 1000.0);
            log_scale_.push_back(profile.size_exponent * portable_log(gpus));
        }
    }

    [[nodiscard]] std::int64_t
    operator()(std::uint64_t job, std::size_t gang, const EndProfile& end) const {
        const double location = end.log_median_s + log_scale_[gang];
        for (std::uint32_t n = 0;; ++n) {
            const double z = normal_quantile(random_.uniform(job, n));
            const double run_s = portable_exp(location + profile_.log_sigma * z);
            if (run_s <= profile_.max_run_s)
                return std::max<std::int64_t>(1, std::llround(run_s));
        }
    }

  private:
    const SyntheticProfile& profile_;
    RandomStream random_;
    std::vector<double> log_scale_; ///< by gang row
};

/// Fills all columns except the submit times.
void draw_jobs(Trace& trace, const SyntheticProfile& profile, const SyntheticSpec& spec) {
    const Picker pick_gang{profile.gangs, RandomStream{spec.seed, Stream::gang_sizes}};
    const Picker pick_end{profile.ends, RandomStream{spec.seed, Stream::end_states}};
    const Picker pick_tenant{profile.tenants, RandomStream{spec.seed, Stream::tenants}};
    const RunTimeSampler sample_run_time{profile, spec.seed};
    const bool shares_gpus = std::ranges::any_of(
        profile.gangs, [](const GangWeight& gang) { return gang.gpu_milli != slots_per_gpu; });
    const bool has_states = profile.ends.size() > 1;

    const auto num_jobs = static_cast<std::size_t>(spec.jobs);
    trace.gpus.resize(num_jobs);
    trace.gpu_milli.resize(shares_gpus ? num_jobs : 0);
    trace.end.resize(has_states ? num_jobs : 0);
    trace.duration_ms.resize(num_jobs);
    trace.tenant.resize(num_jobs);
    for (std::size_t job = 0; job < num_jobs; ++job) {
        std::uint32_t attempt = 0;
        std::size_t row = pick_gang(job);
        while (profile.gangs[row].gpus > spec.gpus)
            row = pick_gang(job, ++attempt);
        const EndProfile& end = profile.ends[pick_end(job)];
        trace.gpus[job] = static_cast<std::uint32_t>(profile.gangs[row].gpus);
        if (shares_gpus)
            trace.gpu_milli[job] = static_cast<std::uint16_t>(profile.gangs[row].gpu_milli);
        if (has_states)
            trace.end[job] = end.end;
        trace.duration_ms[job] = sample_run_time(job, row, end) * second.count();
        trace.tenant[job] = static_cast<std::uint16_t>(pick_tenant(job));
    }
}

SlotTime offered(const Trace& trace) {
    SlotTime total;
    for (std::size_t job = 0; job < trace.gpus.size(); ++job) {
        const std::int64_t per_gpu =
            trace.gpu_milli.empty() ? slots_per_gpu : std::int64_t{trace.gpu_milli[job]};
        total += slot_time(trace.gpus[job] * per_gpu, Duration{trace.duration_ms[job]});
    }
    return total;
}

/// Time of all submissions, so that the offered GPU time is `load` times the capacity.
std::int64_t span_s(const SyntheticSpec& spec, SlotTime offered) {
    const SlotTime per_second = slot_time(slots_per_gpu, second);
    const double gpu_s =
        static_cast<double>(offered.count()) / static_cast<double>(per_second.count());
    const double span = gpu_s / static_cast<double>(spec.gpus) / spec.load;
    if (span > static_cast<double>(max_span / second))
        refuse(spec,
               "load",
               fmt::format("a load of {} spreads {} jobs over {:.3g} years",
                           spec.load,
                           spec.jobs,
                           span / static_cast<double>(year / second)),
               "a higher load or fewer jobs; a run holds 34.8 years");
    return std::llround(span);
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

Trace synthesise(const SyntheticSpec& spec) {
    const Profiles own = spec.profiles.empty() ? Profiles{} : read_profiles(spec.profiles);
    const Profiles& profiles = spec.profiles.empty() ? builtin_profiles() : own;
    const SyntheticProfile& profile = profiles.profile(spec.like);
    check(spec, profile);

    Trace trace;
    trace.format = "synthetic " + spec.like;
    trace.zero_utc_ms = profile.zero_utc_ms;
    trace.gpu_type_sets.emplace_back();
    for (const TenantWeight& tenant : profile.tenants)
        trace.tenants.emplace_back(tenant.name);
    draw_jobs(trace, profile, spec);

    const std::size_t num_jobs = trace.gpus.size();
    trace.num_rows_read = num_jobs;
    trace.line.resize(num_jobs);
    std::iota(trace.line.begin(), trace.line.end(), std::uint64_t{1});
    trace.submit_ms = arrival_times_s(profile, num_jobs, span_s(spec, offered(trace)), spec.seed);
    for (std::int64_t& submit : trace.submit_ms)
        submit *= second.count();
    return trace;
}

}} // namespace bursar::scenarios
