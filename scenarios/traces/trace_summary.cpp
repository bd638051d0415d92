#include "scenarios/traces/trace_summary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace bursar { inline namespace scenarios {
namespace {

std::int64_t slots_of(const Trace& trace, std::size_t row) {
    const std::int64_t milli = trace.gpu_milli.empty() ? slots_per_gpu : trace.gpu_milli[row];
    return trace.gpus[row] * milli;
}

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0.0;
}

double share(SlotTime part, SlotTime whole) {
    return share(static_cast<double>(part.count()), static_cast<double>(whole.count()));
}

/// values: not empty; they are reordered.
double median(std::vector<std::int64_t>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1)
        return static_cast<double>(*middle);
    return static_cast<double>(*middle + *std::max_element(values.begin(), middle)) / 2;
}

DurationSummary summarise_durations(std::vector<std::int64_t> durations) {
    int128 sum = 0;
    for (const std::int64_t duration : durations)
        sum += duration;
    std::ranges::sort(durations);
    const std::size_t n = durations.size();
    const auto percentile = [&](std::size_t p) { // p < 100
        const std::size_t rank = p * (n - 1) / 100;
        const std::size_t hundredths = p * (n - 1) % 100;
        const std::int64_t step = hundredths == 0 ? 0 : durations[rank + 1] - durations[rank];
        return static_cast<double>(durations[rank]) +
               static_cast<double>(step) * static_cast<double>(hundredths) / 100;
    };
    return {.mean_ms = static_cast<double>(sum) / static_cast<double>(n),
            .median_ms = percentile(50),
            .p90_ms = percentile(90),
            .p99_ms = percentile(99),
            .max_ms = durations.back()};
}

std::vector<GangShare> summarise_gangs(const Trace& trace, SlotTime total) {
    std::map<std::uint32_t, GangShare> by_size;
    for (std::size_t row = 0; row < trace.size(); ++row) {
        GangShare& gang = by_size[trace.gpus[row]];
        gang.gpus = trace.gpus[row];
        ++gang.jobs;
        gang.gpu_time += slot_time(slots_of(trace, row), Duration{trace.duration_ms[row]});
    }
    std::vector<GangShare> gangs;
    for (auto& [size, gang] : by_size) {
        gang.job_share = share(static_cast<double>(gang.jobs), static_cast<double>(trace.size()));
        gang.gpu_time_share = share(gang.gpu_time, total);
        gangs.push_back(gang);
    }
    return gangs;
}

decltype(TraceSummary::ends) summarise_ends(const Trace& trace, SlotTime total) {
    decltype(TraceSummary::ends) ends{};
    for (std::size_t i = 0; i < ends.size(); ++i)
        ends[i].end = static_cast<JobEnd>(i);
    for (std::size_t row = 0; row < trace.size(); ++row) {
        const JobEnd end = trace.end.empty() ? JobEnd::completed : trace.end[row];
        EndShare& entry = ends[static_cast<std::size_t>(end)];
        ++entry.jobs;
        entry.gpu_time += slot_time(slots_of(trace, row), Duration{trace.duration_ms[row]});
    }
    for (EndShare& entry : ends) {
        entry.job_share = share(static_cast<double>(entry.jobs), static_cast<double>(trace.size()));
        entry.gpu_time_share = share(entry.gpu_time, total);
    }
    return ends;
}

/// Standard deviation over mean of the gaps between submits. submits: sorted.
double interarrival_cv(const std::vector<std::int64_t>& submits) {
    const std::size_t gaps = submits.size() - 1;
    if (gaps == 0 || submits.back() == submits.front())
        return 0;
    const double mean =
        static_cast<double>(submits.back() - submits.front()) / static_cast<double>(gaps);
    double squares = 0;
    for (std::size_t i = 0; i < gaps; ++i) {
        const double off = static_cast<double>(submits[i + 1] - submits[i]) - mean;
        squares += off * off;
    }
    return std::sqrt(squares / static_cast<double>(gaps)) / mean;
}

/// Sweeps over starts and ends; ends of an instant come before starts.
std::int64_t peak_slots(const Trace& trace) {
    std::vector<std::pair<std::int64_t, std::int64_t>> changes; // instant, slots
    changes.reserve(2 * trace.size());
    for (std::size_t row = 0; row < trace.size(); ++row) {
        const std::int64_t slots = slots_of(trace, row);
        changes.emplace_back(trace.submit_ms[row], slots);
        changes.emplace_back(trace.submit_ms[row] + trace.duration_ms[row], -slots);
    }
    std::ranges::sort(changes); // negative changes of an instant come first
    std::int64_t used = 0;
    std::int64_t peak = 0;
    for (const auto& [instant, slots] : changes) {
        used += slots;
        peak = std::max(peak, used);
    }
    return peak;
}

} // namespace

double TraceSummary::offered_load(std::int64_t gpus) const {
    if (span.count() == 0)
        return std::numeric_limits<double>::infinity();
    return share(gpu_time, slot_time(gpus * slots_per_gpu, span));
}

TraceSummary summarise(const Trace& trace) {
    assert(trace.size() > 0);
    TraceSummary out;
    out.jobs = trace.size();
    out.tenants = trace.tenants.size();
    std::vector<std::int64_t> slots(trace.size());
    for (std::size_t row = 0; row < trace.size(); ++row) {
        slots[row] = slots_of(trace, row);
        out.gpu_time += slot_time(slots[row], Duration{trace.duration_ms[row]});
    }
    const auto in_gpus = [](double n) { return n / static_cast<double>(slots_per_gpu); };
    const std::int64_t all_slots = std::accumulate(slots.begin(), slots.end(), std::int64_t{0});
    out.mean_gpus = in_gpus(share(static_cast<double>(all_slots), static_cast<double>(out.jobs)));
    out.median_gpus = in_gpus(median(slots));
    out.duration = summarise_durations(trace.duration_ms);
    out.gangs = summarise_gangs(trace, out.gpu_time);
    out.ends = summarise_ends(trace, out.gpu_time);
    out.has_states = !trace.end.empty();
    out.peak_slots = peak_slots(trace);

    std::vector<std::int64_t> submits = trace.submit_ms;
    std::ranges::sort(submits);
    out.span = Duration{submits.back() - submits.front()};
    if (out.jobs > 1)
        out.mean_interarrival_ms =
            static_cast<double>(out.span.count()) / static_cast<double>(out.jobs - 1);
    out.interarrival_cv = interarrival_cv(submits);
    return out;
}

}} // namespace bursar::scenarios
