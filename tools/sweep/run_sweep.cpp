#include "tools/sweep/run_sweep.hpp"

#include <chrono>
#include <exception>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/scalars/scalars.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/uncertainty.hpp"

#include "tools/simulate/build_version.hpp"
#include "tools/simulate/run_scenario.hpp"
#include "tools/simulate/simulation_error.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The row of a run before it is made.
SweepRow planned_row(const SweepPlan& plan, std::size_t run) {
    SweepRow row;
    row.number = run;
    row.scenario = plan.runs()[run].scenario;
    row.scenario_hash = plan.scenario_hash(run);
    row.seed = plan.runs()[run].seed;
    return row;
}

void fill(const CompiledRun& run, const Result& result, SweepRow& row) {
    row.fingerprint = result.fingerprint;
    row.ending = ending_of(run, result);
    row.wall_s = std::chrono::duration<double>(result.run.wall).count();
    row.scalars = scalar_values(result);
    std::vector<std::string> warnings = uncertainty_sentences(result);
    warnings.insert(warnings.begin(), result.run.warnings.begin(), result.run.warnings.end());
    if (const std::string unpriced = unpriced_sentence(result); !unpriced.empty())
        warnings.push_back("unpriced: " + unpriced);
    row.warnings = fmt::format("{}", fmt::join(warnings, "\n"));
}

std::vector<SweepNote> notes_of(const RunFacts& facts) {
    std::vector<SweepNote> notes;
    const auto add = [&](SweepNote::Kind kind, const std::vector<std::string>& texts) {
        for (const std::string& text : texts)
            notes.push_back({kind, text});
    };
    add(SweepNote::Kind::decisive, facts.decisive);
    add(SweepNote::Kind::assumed, facts.assumed);
    add(SweepNote::Kind::unmodelled, facts.unmodelled);
    return notes;
}

/// Why the scenario cannot run; empty: the machine failed.
std::string failure_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const ScenarioError& wrong) {
        return wrong.findings().front().text();
    } catch (const SimulationError& wrong) {
        return wrong.what();
    } catch (...) {
        return {};
    }
}

} // namespace

SweepTable planned_table(const SweepPlan& plan) {
    SweepTable table;
    table.version = build_version;
    table.scenario_name = plan.base().name;
    table.identity = plan.identity();
    table.num_planned = plan.runs().size();
    if (plan.refined() > 0 || plan.num_scenarios() > plan.grid().size())
        table.refined = {plan.refined(), plan.grid().size()};
    table.files = plan.contents();
    for (const Axis& axis : plan.grid().axes()) {
        std::vector<std::size_t>& places = table.axes.emplace_back();
        const auto add = [&](const Axis& one) {
            places.push_back(table.paths.size());
            table.paths.push_back(one.path);
        };
        add(axis);
        for (const Axis& other : axis.with)
            add(other);
    }
    for (std::size_t run = 0; run < plan.runs().size(); ++run) {
        SweepRow row = planned_row(plan, run);
        row.values = plan.values_of(row.scenario);
        table.rows.push_back(std::move(row));
    }
    return table;
}

void run_sweep(const SweepPlan& plan, SweepStore& store, const SweepRunning& running) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> present = store.present();
    std::vector<std::size_t> numbers;
    std::vector<PlannedRun> runs;
    for (const std::size_t number : running.runs ? *running.runs : plan.runs_of(running.shard))
        if (present.emplace(plan.scenario_hash(number), plan.runs()[number].seed).second) {
            if (const std::string_view why = plan.why_pruned(number); !why.empty()) {
                SweepRow row = planned_row(plan, number);
                row.pruned = why;
                store.add(row, {});
                continue;
            }
            numbers.push_back(number);
            runs.push_back(plan.runs()[number]);
        }
    make_runs(runs,
              {.threads = running.threads,
               .on_progress = running.on_progress,
               .load = [&](std::size_t scenario) { return plan.load(scenario); },
               .compiled = plan.compiled(),
               .ahead = running.ahead,
               .run =
                   [&](std::size_t i, CompiledRun run, Workspace& workspace) {
                       const Result result = run_compiled(run, Record::jobs, workspace);
                       check_measured(run.scenario, result.end);
                       SweepRow row = planned_row(plan, numbers[i]);
                       fill(run, result, row);
                       store.add(row, notes_of(result.run));
                   },
               .on_error =
                   [&](std::size_t i, const std::exception_ptr& error) {
                       SweepRow row = planned_row(plan, numbers[i]);
                       row.failure = failure_of(error);
                       if (row.failure.empty())
                           return false;
                       store.add(row, {});
                       return true;
                   }});
    store.flush();
}

}} // namespace bursar::tools
