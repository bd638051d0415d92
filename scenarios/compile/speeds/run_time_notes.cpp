#include "scenarios/compile/speeds/run_time_notes.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::string times(double factor) {
    return fmt::format("{:.3g}", factor);
}

/// A range of factors, or one factor if both ends are equal.
std::string times(double least, double most) {
    return times(least) == times(most) ? times(least) : times(least) + " to " + times(most);
}

/// "measured on 9 workloads, 1.9 to 5.3: ..." or "catalogue, between 2.79 and 10.5: ...".
std::string estimate_text(const SpeedEstimate& estimate, Precision precision) {
    const auto measured = [](const PairSpeed& pair) {
        return fmt::format("measured on {}, {}: {}",
                           pair.workloads == 1 ? "1 workload"
                                               : fmt::format("{} workloads", pair.workloads),
                           times(pair.speed.low, pair.speed.high),
                           pair.source);
    };
    if (!estimate.ratio)
        return measured(*estimate.measured);
    const SpeedRatio& ratio = *estimate.ratio;
    std::string text =
        fmt::format("catalogue, between {} and {}: {} times its memory bandwidth, {} times its {} "
                    "{}",
                    times(estimate.range.low),
                    times(estimate.range.high),
                    times(ratio.by_memory),
                    times(ratio.by_peak),
                    name(precision),
                    ratio.is_peak_measured ? "rate as measured" : "peak");
    if (estimate.measured)
        text += "; " + measured(*estimate.measured);
    return text;
}

std::string origin_text(const PoolSpeed& speed, const RunTimesSpec& run_times) {
    if (speed.origin == SpeedOrigin::declared)
        return "`speed` of its class";
    if (speed.origin == SpeedOrigin::measured)
        return fmt::format("measured, {}",
                           std::filesystem::path{run_times.measured->file()}.filename().string());
    return estimate_text(speed.estimate, speed.precision);
}

} // namespace

void RunTimeNotes::add(const RunKind& kind, std::uint64_t pools) {
    RunKind alike = kind;
    if (kind.job_type == 0) // then the number of GPUs does not matter
        alike.gpus = std::min(kind.gpus, 1U);
    std::uint64_t& seen = seen_[alike];
    if ((pools & ~seen) == 0)
        return;
    for (std::size_t pool = 0; pool < scenario_.fleet.size(); ++pool)
        if ((pools & ~seen) >> pool & 1U)
            note(alike, pool);
    seen |= pools;
}

void RunTimeNotes::note(const RunKind& kind, std::size_t pool) {
    const PoolSpeed found = speeds_.on(kind, pool);
    const Gpu* ran_on = kinds_.ran_on(kind);
    const std::string& gpu = scenario_.fleet[pool].gpu;
    if (!found.problem.empty())
        fail_input(scenario_.classes.empty() ? Place{scenario_.file}
                                             : scenario_.classes[kind.job_class].place,
                   scenario_.classes.empty() ? "workload"
                                             : fmt::format("workload.classes[{}]", kind.job_class),
                   mistake(found.problem, "", found.suggestion));
    if (found.never_runs) {
        unfit_gpus_.insert(gpu);
        return;
    }
    formats_.add(gpu, found);
    if (found.origin == SpeedOrigin::nowhere)
        unscaled_pools_ |= std::uint64_t{1} << pool;
    else if (ran_on != nullptr && ran_on->name != gpu && found.origin != SpeedOrigin::same_gpu) {
        const ScaledKey key{ran_on->name, first_pool_of(gpu), found.origin};
        Scaled& scaled =
            scaled_.try_emplace(key, Scaled{found.on_gpu, found.on_gpu, found}).first->second;
        scaled.least = std::min(scaled.least, found.on_gpu);
        scaled.most = std::max(scaled.most, found.on_gpu);
    }
}

std::size_t RunTimeNotes::first_pool_of(const std::string& gpu) const {
    return static_cast<std::size_t>(std::ranges::find(scenario_.fleet, gpu, &PoolSpec::gpu) -
                                    scenario_.fleet.begin());
}

std::string RunTimeNotes::text(const ScaledKey& key, const Scaled& scaled) const {
    const auto& [ran_on, pool, origin] = key;
    return fmt::format("run times are those of {}; {} runs its jobs {} times as fast ({})",
                       ran_on,
                       scenario_.fleet[pool].gpu,
                       times(scaled.least, scaled.most),
                       origin_text(scaled.last, scenario_.run_times));
}

std::string RunTimeNotes::unscaled() const {
    std::vector<std::string> gpus;
    for (std::size_t p = 0; p < scenario_.fleet.size(); ++p) {
        const std::string& gpu = scenario_.fleet[p].gpu;
        if ((unscaled_pools_ >> p & 1U) != 0 && std::ranges::find(gpus, gpu) == gpus.end())
            gpus.push_back(gpu);
    }
    constexpr std::array<std::string_view, 3> sources{
        "the trace", "the synthetic workload", "the list"};
    return fmt::format("run times are those of {} on any GPU, not scaled to {} (no `speed` given)",
                       sources[scenario_.workload.index()],
                       fmt::join(gpus, ", "));
}

std::vector<std::string> RunTimeNotes::warnings() const {
    const RunTimesSpec& run_times = scenario_.run_times;
    std::vector<std::string> out;
    const auto warn = [&](const char* path, Finding finding) {
        finding.place = {scenario_.file};
        finding.path = path;
        out.push_back(finding.text());
    };
    if (seen_.empty()) {
        if (!run_times.gpu.empty())
            warn("workload.gpu", mistake("has no effect", "every job trains a model"));
        if (run_times.precision)
            warn("workload.precision", mistake("has no effect", "every job trains a model"));
    }
    const bool has_type =
        std::ranges::any_of(seen_, [](const auto& entry) { return entry.first.job_type > 0; });
    if (run_times.measured != nullptr && !has_type)
        warn("workload.speeds",
             mistake("no job is of a type in " + run_times.measured->file(),
                     "a type is A3C of the key \"('A3C', 1)\" in files of Gavel, application and "
                     "batch size as in \"cifar10 128\" in profiles of Pollux",
                     "`job_type` of the classes"));
    return out;
}

std::vector<std::string> RunTimeNotes::assumed() const {
    std::vector<std::string> notes;
    if (unscaled_pools_ != 0)
        notes.push_back(unscaled());
    for (const auto& [key, scaled] : scaled_)
        notes.push_back(text(key, scaled));
    if (!unfit_gpus_.empty())
        notes.push_back(
            fmt::format("types of jobs measured at 0 steps a second do not run there: {}",
                        fmt::join(unfit_gpus_, ", ")));
    for (std::string& note : formats_.assumed())
        notes.push_back(std::move(note));
    return notes;
}

namespace {

std::string text_of(const std::string& gpu, const PoolSpeed& speed) {
    const FormatChange& change = *speed.format;
    if (!change.gain)
        return fmt::format("jobs measured in {} run in {} on {}, and no faster or slower for it: "
                           "by how much was not measured",
                           name(change.from),
                           name(change.to),
                           gpu);
    return fmt::format("jobs measured in {} run in {} on {}, {:.3g} times as fast (measured on {} "
                       "jobs, between {:.3g} and {:.3g})",
                       name(change.from),
                       name(change.to),
                       gpu,
                       speed.gain,
                       change.gain->measured,
                       change.gain->gain.low,
                       change.gain->gain.high);
}

} // namespace

void FormatNotes::add(const std::string& gpu, const PoolSpeed& speed) {
    some_unknown_ |= speed.is_format_unknown;
    if (speed.format)
        changes_.try_emplace({gpu, speed.format->from, speed.format->to}, speed);
}

std::vector<std::string> FormatNotes::assumed() const {
    std::vector<std::string> notes;
    if (some_unknown_)
        notes.emplace_back(
            "policy.precision changes no run times whose number format is not specified "
            "(`workload.precision`)");
    for (const auto& [key, speed] : changes_)
        notes.push_back(text_of(std::get<0>(key), speed));
    return notes;
}

}} // namespace bursar::scenarios
