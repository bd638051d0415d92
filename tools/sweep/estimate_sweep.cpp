#include "tools/sweep/estimate_sweep.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"

#include "tools/simulate/run_scenario.hpp"
#include "tools/simulate/simulation_error.hpp"

namespace bursar { inline namespace tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A run that was made, and what it took.
struct Sample {
    double cost{}; ///< as it was planned
    double compile_s{};
    double run_s{};
    double memory{}; ///< bytes
};

CompiledRun compiled_run(const SweepPlan& plan, const PlannedRun& planned) {
    LoadedScenario loaded = plan.load(planned.scenario);
    if (plan.compiled() == nullptr)
        return compile_run(loaded, planned.seed);
    CompiledRun run{std::move(loaded.scenario), plan.compiled()};
    run.scenario.policy.seed = planned.seed;
    return run;
}

/// The first of the runs that its scenario does not make impossible.
std::optional<Sample> sample_of(const SweepPlan& plan, const std::vector<std::size_t>& runs) {
    Workspace workspace;
    for (const std::size_t i : runs) {
        if (!plan.why_pruned(i).empty())
            continue;
        const PlannedRun& planned = plan.runs()[i];
        try {
            const Clock::time_point begin = Clock::now();
            const CompiledRun run = compiled_run(plan, planned);
            const double compile_s = seconds_since(begin);
            const Clock::time_point run_begin = Clock::now();
            const Result result = run_compiled(run, Record::jobs, workspace);
            return Sample{planned.cost,
                          compile_s,
                          seconds_since(run_begin),
                          static_cast<double>(result.run.peak_rss_bytes)};
        } catch (const ScenarioError&) {
            continue; // a row that says why, in the sweep
        } catch (const SimulationError&) {
            continue;
        }
    }
    return std::nullopt;
}

} // namespace

Answer estimate_sweep(const SweepPlan& plan, const Shard& shard, std::size_t threads) {
    const std::vector<std::size_t> own = plan.runs_of(shard);
    Answer answer;
    answer.command = "sweep --dry-run";
    AnswerSection section{"sweep", plan.base().name, {}};
    const auto count = [&](std::string key, std::string label, std::size_t number) {
        section.values.push_back(
            {std::move(key), std::move(label), static_cast<std::int64_t>(number), "", ""});
    };
    count("scenarios", "scenarios", plan.grid().size());
    count("runs", "runs", plan.runs().size());
    count("plans", "plans (groups that share one)", plan.num_plans());
    count("shard_runs", "runs of this shard", own.size());
    const auto num_pruned = static_cast<std::size_t>(
        std::ranges::count_if(own, [&](std::size_t i) { return !plan.why_pruned(i).empty(); }));
    if (num_pruned > 0)
        count("shard_pruned", "of them not simulated (--prune)", num_pruned);
    if (const auto sample = sample_of(plan, own)) {
        double cost = 0;
        std::set<std::uint64_t> plans;
        for (const std::size_t i : own) {
            if (!plan.why_pruned(i).empty())
                continue;
            cost += plan.runs()[i].cost;
            plans.insert(plan.runs()[i].plan_key);
        }
        const auto workers = static_cast<double>(std::min(threads, own.size() - num_pruned));
        const double all_s = (sample->run_s * cost / sample->cost +
                              sample->compile_s * static_cast<double>(plans.size())) /
                             workers;
        section.values.push_back(
            {"time_s", "estimated time", all_s, "s", "of one run, by jobs and policy"});
        section.values.push_back({"memory_B",
                                  "estimated memory",
                                  sample->memory * workers,
                                  "B",
                                  "at most: of one run, times the threads"});
    } else if (own.size() > num_pruned) {
        section.values.push_back(
            {"estimate", "estimated time", "none", "", "no run of this shard can be made"});
    }
    count("threads", "threads", threads);
    answer.sections.push_back(std::move(section));
    return answer;
}

}} // namespace bursar::tools
