#include "scenarios/compile/jobs/workload.hpp"

#include <algorithm>

#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/synth/synthesise.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar::inline scenarios {

std::uint64_t first_seed(const Scenario& scenario, std::optional<std::int64_t> wanted) {
    if (wanted)
        return static_cast<std::uint64_t>(*wanted);
    const auto* synthetic = std::get_if<SyntheticSpec>(&scenario.workload);
    return synthetic != nullptr ? synthetic->seed : 1;
}

Trace load_workload(const Scenario& scenario, std::uint64_t seed) {
    if (const auto* trace = std::get_if<TraceWorkload>(&scenario.workload))
        return read_trace(**trace);
    if (const auto* list = std::get_if<JobList>(&scenario.workload))
        return listed_trace(*list);
    SyntheticSpec spec = std::get<SyntheticSpec>(scenario.workload);
    spec.seed = seed;
    return synthesise(spec);
}

std::shared_ptr<const Trace> Workloads::of(const Scenario& scenario, std::uint64_t seed) {
    if (const auto* trace = std::get_if<TraceWorkload>(&scenario.workload))
        return read_once(*trace);
    return std::make_shared<const Trace>(load_workload(scenario, seed));
}

std::shared_ptr<const Trace> Workloads::read_once(const TraceWorkload& trace) {
    const std::lock_guard lock{mutex_}; // who asks for a trace that is being read waits for it
    const auto known = std::ranges::find(entries_, trace, &Entry::options);
    if (known != entries_.end())
        return known->trace;
    return entries_.emplace_back(Entry{trace, std::make_shared<const Trace>(read_(*trace))}).trace;
}

} // namespace bursar::inline scenarios
