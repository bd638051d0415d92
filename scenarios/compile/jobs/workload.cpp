#include "scenarios/compile/jobs/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>

#include <fmt/format.h>

#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/synth/resample.hpp"
#include "scenarios/synth/synthesise.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {

std::uint64_t first_seed(const Scenario& scenario, std::optional<std::int64_t> wanted) {
    if (wanted)
        return static_cast<std::uint64_t>(*wanted);
    const auto* synthetic = std::get_if<SyntheticSpec>(&scenario.workload);
    return synthetic != nullptr ? synthetic->seed : 1;
}

void check_seeds(const Scenario& base, const Scenario& variant) {
    const auto refuse = [](const Place& place, const char* path, auto number) {
        throw ScenarioError{
            Finding{place,
                    path,
                    fmt::format("{} would have no effect", number),
                    "scenarios are compared on equal seeds, those of the first",
                    "`--seeds N` for several seeds, `--seed N` for another first one"}};
    };
    const auto* drawn = std::get_if<SyntheticSpec>(&variant.workload);
    if (drawn != nullptr && drawn->has_seed && drawn->seed != first_seed(base, {}))
        refuse(drawn->place, "workload.synthetic.seed", drawn->seed);
    if (variant.seeds != base.seeds)
        refuse({variant.file}, "repeat.seeds", variant.seeds);
}

Trace load_workload(const Scenario& scenario, std::uint64_t seed) {
    if (const auto* trace = std::get_if<TraceWorkload>(&scenario.workload))
        return trace->is_resampled() ? resampled(read_trace(**trace), **trace, seed)
                                     : read_trace(**trace);
    if (const auto* list = std::get_if<JobList>(&scenario.workload))
        return listed_trace(*list, seed);
    SyntheticSpec spec = std::get<SyntheticSpec>(scenario.workload);
    spec.seed = seed;
    return synthesise(spec);
}

std::shared_ptr<const Trace> Workloads::of(const Scenario& scenario, std::uint64_t seed) {
    if (const auto* trace = std::get_if<TraceWorkload>(&scenario.workload)) {
        if (!trace->is_resampled())
            return once(*trace, [&] { return read_(**trace); });
        TraceOptions options = **trace;
        options.resample = {};
        const TraceWorkload whole{options};
        const auto read = once(whole, [&] { return read_(*whole); });
        return once(DrawnTrace{*trace, seed}, [&] { return resampled(*read, **trace, seed); });
    }
    const auto* synthetic = std::get_if<SyntheticSpec>(&scenario.workload);
    if (synthetic == nullptr)
        return std::make_shared<const Trace>(load_workload(scenario, seed));
    SyntheticSpec key = *synthetic;
    key.seed = seed;
    key.has_seed = true;
    return once(key, [&] { return load_workload(scenario, seed); });
}

std::shared_ptr<const Trace> Workloads::once(const Key& key, const std::function<Trace()>& make) {
    std::promise<std::shared_ptr<const Trace>> made;
    {
        std::unique_lock lock{mutex_};
        const auto known = std::ranges::find(entries_, key, &std::pair<Key, Shared>::first);
        if (known != entries_.end()) {
            const Shared shared = known->second;
            lock.unlock();
            return shared.get();
        }
        forget_oldest();
        entries_.emplace_back(key, made.get_future().share());
    }
    try {
        auto trace = std::make_shared<Trace>(make());
        trace->kinds = std::make_shared<const RowKinds>(*trace);
        made.set_value(trace);
        return trace;
    } catch (...) {
        made.set_exception(std::current_exception());
        const std::lock_guard lock{mutex_}; // a failed load is tried again by the next caller
        std::erase_if(entries_, [&](const auto& entry) { return entry.first == key; });
        throw;
    }
}

/// Keeps the newest drawn workloads only. Those in use live on with their users.
void Workloads::forget_oldest() {
    constexpr std::ptrdiff_t max_drawn = 4;
    const auto is_drawn = [](const std::pair<Key, Shared>& entry) {
        return !std::holds_alternative<TraceWorkload>(entry.first);
    };
    if (std::ranges::count_if(entries_, is_drawn) >= max_drawn)
        entries_.erase(std::ranges::find_if(entries_, is_drawn));
}

}} // namespace bursar::scenarios
