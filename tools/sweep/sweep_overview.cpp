#include "tools/sweep/sweep_overview.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/scenario_error.hpp"

#include "tools/simulate/run_scenario.hpp"
#include "tools/simulate/simulation_error.hpp"
#include "tools/sweep/refine_sweep.hpp"
#include "tools/sweep/sweep_store.hpp"

namespace bursar { inline namespace tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The cost of one run that was made.
struct Sample {
    double cost{}; ///< estimate of the plan
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

/// A sample of the first run that its scenario does not make impossible.
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
            continue; // the sweep has a row with the reason
        } catch (const SimulationError&) {
            continue;
        }
    }
    return std::nullopt;
}

/// "0..11, 14, 20..29", at most 20 ranges and the number of further ones.
std::string listed(const std::vector<std::uint64_t>& numbers) {
    constexpr std::size_t max_shown = 20;
    std::string out;
    std::size_t num_stretches = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        if (++num_stretches <= max_shown)
            out += fmt::format("{}{}{}",
                               out.empty() ? "" : ", ",
                               numbers[i],
                               end - i > 1 ? fmt::format("..{}", numbers[end - 1]) : "");
        i = end;
    }
    if (num_stretches > max_shown)
        out += fmt::format(", and {} stretches more", num_stretches - max_shown);
    return out;
}

/// Adds a whole number to a section.
void add_count(Facts& section, std::string key, std::string label, std::uint64_t number) {
    section.values.push_back(
        {std::move(key), std::move(label), static_cast<std::int64_t>(number), "", ""});
}

} // namespace

Document estimate_sweep(const SweepPlan& plan,
                        const Shard& shard,
                        std::size_t threads,
                        std::optional<std::uint64_t> refine) {
    const std::vector<std::size_t> own = plan.runs_of(shard);
    Document answer;
    answer.command = "sweep --dry-run";
    Facts section{"sweep", plan.base().name, {}};
    add_count(section, "scenarios", "scenarios", plan.grid().size());
    add_count(section, "runs", "runs", plan.runs().size());
    if (refine)
        add_count(section,
                  "refined_runs",
                  "runs more by --refine, at most",
                  max_refined_scenarios(plan, *refine) * plan.most_runs());
    add_count(section, "plans", "plans (groups that share one)", plan.num_plans());
    add_count(section, "shard_runs", "runs of this shard", own.size());
    const auto num_pruned = static_cast<std::size_t>(
        std::ranges::count_if(own, [&](std::size_t i) { return !plan.why_pruned(i).empty(); }));
    if (num_pruned > 0)
        add_count(section, "shard_pruned", "of them not simulated (--prune)", num_pruned);
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
        section.values.push_back({"time_s",
                                  "estimated time",
                                  all_s,
                                  "s",
                                  refine ? "without --refine; of one run, by jobs and policy"
                                         : "of one run, by jobs and policy"});
        section.values.push_back({"memory_B",
                                  "estimated memory",
                                  sample->memory * workers,
                                  "B",
                                  "at most: of one run, times the threads"});
    } else if (own.size() > num_pruned) {
        section.values.push_back(
            {"estimate", "estimated time", "none", "", "no run of this shard can be made"});
    }
    add_count(section, "threads", "threads", threads);
    answer.add(std::move(section));
    return answer;
}

SweepStatus sweep_status(const std::filesystem::path& folder) {
    SweepStore store{folder};
    const SweepTable table = store.table();
    std::vector<std::uint64_t> missing;
    std::vector<std::uint64_t> failed;
    std::uint64_t num_pruned = 0;
    std::uint64_t num_tried = 0; // failed runs that refining added, which need not be possible
    std::uint64_t next = 0;
    for (const SweepRow& row : table.rows) {
        for (; next < row.number; ++next)
            missing.push_back(next);
        ++next;
        if (!row.failure.empty())
            failed.push_back(row.number);
        num_tried += !row.failure.empty() && table.refined.is_added(row.scenario) ? 1 : 0;
        num_pruned += row.pruned.empty() ? 0 : 1;
    }
    for (; next < table.num_planned; ++next)
        missing.push_back(next);
    SweepStatus status{{}, missing.size() + failed.size() - num_tried};
    status.answer.command = "sweep --status";
    Facts section{"status", table.scenario_name, {}};
    add_count(section, "planned", "runs planned", table.num_planned);
    add_count(section, "done", "with a result", table.rows.size() - failed.size() - num_pruned);
    if (num_pruned > 0)
        add_count(section, "pruned", "not simulated (--prune)", num_pruned);
    add_count(section, "failed", "failed", failed.size());
    add_count(section, "missing", "missing", missing.size());
    if (!missing.empty())
        section.values.push_back({"missing_runs", "missing runs", listed(missing), "", ""});
    if (!failed.empty())
        section.values.push_back({"failed_runs", "failed runs", listed(failed), "", ""});
    status.answer.add(std::move(section));
    return status;
}

}} // namespace bursar::tools
