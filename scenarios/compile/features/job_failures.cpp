#include "scenarios/compile/features/job_failures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "models/gpu/speed_ratio.hpp"
#include "models/reliability/job_failures.hpp"
#include "models/training/job/precision_plan.hpp"

#include "sim/plan/plan_view.hpp"

#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/compile/speeds/job_format.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A job without saves that needs this many times its mean time between failures finishes in one of
/// 22,000 attempts.
constexpr double hopeless = 10;

bool fails(const ClassSpec& spec) {
    return spec.failures || spec.overflow_restarts > 0;
}

/// Failures per 10^9 hours.
std::int64_t nano_rate(double per_hour) {
    return per_hour > 0 ? std::max<std::int64_t>(std::llround(per_hour * 1e9), 1) : 0;
}

/// The number format of a class's jobs on a GPU; absent: not specified.
std::optional<Precision>
format_on(const Scenario& scenario, const ClassSpec& spec, const Gpu& gpu) {
    if (spec.training.model)
        return job_format(scenario, spec, gpu, usual_precision(gpu));
    const std::optional<Precision> measured =
        scenario.run_times.precision ? scenario.run_times.precision : spec.training.precision;
    if (!measured)
        return std::nullopt;
    return nearest_precision(gpu, job_format(scenario, spec, gpu, *measured));
}

/// How jobs of a class fail on each pool.
std::vector<OwnFailures>
rows_of(const Scenario& scenario, const Catalogue& catalogue, const ClassSpec& spec) {
    std::vector<OwnFailures> rows;
    for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool)
        rows.push_back(own_failures(scenario, catalogue, spec, pool));
    return rows;
}

/// Mean number of failures in one whole run of a job that saves nothing on the way, on the pool
/// with the fewest failures. 0 for a job that saves on the way.
double failures_in(const Plan& plan, std::size_t job) {
    const std::uint16_t row = plan.job_class[job];
    const PlanClass& own = plan.classes[row];
    if (saves_on_the_way(own.checkpoint))
        return 0;
    std::int64_t least = horizon_ms;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        if ((plan.shapes[plan.shape[job]].permitted_pools >> pool & 1U) != 0)
            least = std::min(
                least, plan.own_failures[row * plan.pools.size() + pool].rate(plan.gpus(job)));
    return static_cast<double>(least) * static_cast<double>(plan.work_ms[job]) /
           static_cast<double>(wear_per_failure);
}

void warn_of_hopeless(Compiled& compiled) {
    const Plan& plan = compiled.plan;
    std::size_t num = 0;
    double worst = 0;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const double failures = failures_in(plan, job);
        num += failures > hopeless ? 1 : 0;
        worst = std::max(worst, failures);
    }
    if (num > 0)
        compiled.notes.warnings.push_back(
            fmt::format("{} {} on the way and would have to run up to {:.3g} times as long as "
                        "between two of their own failures: they hardly ever finish",
                        num,
                        num == 1 ? "job saves nothing" : "jobs save nothing",
                        worst));
}

} // namespace

OwnFailures own_failures(const Scenario& scenario,
                         const Catalogue& catalogue,
                         const ClassSpec& spec,
                         std::size_t pool) {
    OwnFailures out;
    double per_job_hour = 0;
    if (spec.failures) {
        per_job_hour =
            spec.failures->like.empty()
                ? spec.failures->per_job_hour
                : builtin_failure_rates().find(spec.failures->like)->rates.per_job_day / 24;
        out.per_gpu = nano_rate(spec.failures->per_gpu_hour);
        out.hold_ms = spec.failures->detect.count();
    }
    const Gpu* gpu = catalogue.find(scenario.fleet[pool].gpu);
    if (spec.overflow_restarts > 0 && gpu != nullptr &&
        format_on(scenario, spec, *gpu) == Precision::fp16)
        per_job_hour += spec.overflow_restarts / 24;
    out.per_job = nano_rate(per_job_hour);
    return out;
}

void plan_job_failures(const CompileInput& input, Compiled& compiled) {
    const Scenario& scenario = input.scenario;
    if (!std::ranges::any_of(scenario.classes, fails))
        return;
    std::vector<std::vector<OwnFailures>> of_class;
    for (std::size_t i = 0; i < scenario.classes.size(); ++i) {
        const ClassSpec& spec = scenario.classes[i];
        if (spec.overflow_restarts > 0 && !spec.training.model && !scenario.run_times.precision &&
            !spec.training.precision)
            fail_input(spec.place,
                       fmt::format("workload.classes[{}].overflow_restarts", i),
                       mistake("the number format of its jobs is not specified",
                               "it counts for jobs in fp16",
                               "give `workload.precision`, or a `precision` of the class"));
        of_class.push_back(rows_of(scenario, input.catalogue, spec));
    }
    Plan& plan = compiled.plan;
    for (std::size_t row = 0; row < plan.classes.size(); ++row) {
        const std::vector<OwnFailures>& own = of_class[compiled.scenario_class[row]];
        plan.own_failures.insert(plan.own_failures.end(), own.begin(), own.end());
    }
    if (std::ranges::all_of(plan.own_failures,
                            [](const OwnFailures& own) { return own.rate(1) == 0; })) {
        plan.own_failures.clear();
        return;
    }
    plan.own_failure_seed = scenario.policy.seed;
    warn_of_hopeless(compiled);
    compiled.notes.assumed.emplace_back(
        "jobs that fail by themselves do so at a constant rate while "
        "they hold their GPUs, whatever happened to them before");
}

}} // namespace bursar::scenarios
