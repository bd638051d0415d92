#include "tools/sweep/estimate_sweep.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "tools/simulate/run_scenario.hpp"

namespace bursar::inline tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
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
    if (!own.empty()) {
        const PlannedRun& first = plan.runs()[own.front()];
        const Clock::time_point begin = Clock::now();
        const CompiledRun run = compile_run(plan.load(first.scenario), first.seed);
        const double compile_s = seconds_since(begin);
        Workspace workspace;
        const Clock::time_point run_begin = Clock::now();
        const Result result = run_compiled(run, Record::jobs, workspace);
        const double run_s = seconds_since(run_begin);
        double cost = 0;
        std::set<std::uint64_t> plans;
        for (const std::size_t i : own) {
            cost += plan.runs()[i].cost;
            plans.insert(plan.runs()[i].plan_key);
        }
        const auto workers = static_cast<double>(std::min(threads, own.size()));
        const double all_s =
            (run_s * cost / first.cost + compile_s * static_cast<double>(plans.size())) / workers;
        section.values.push_back(
            {"time_s", "estimated time", all_s, "s", "of one run, by jobs and policy"});
        section.values.push_back({"memory_B",
                                  "estimated memory",
                                  static_cast<double>(result.run.peak_rss_bytes) * workers,
                                  "B",
                                  "at most: of one run, times the threads"});
    }
    count("threads", "threads", threads);
    answer.sections.push_back(std::move(section));
    return answer;
}

} // namespace bursar::inline tools
