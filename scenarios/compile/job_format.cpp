#include "scenarios/compile/job_format.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "models/training/step/precision_plan.hpp"

#include "policies/precision/registry.hpp"

#include "scenarios/errors/fail_input.hpp"

namespace bursar::inline scenarios {
namespace {

bool may_use(const ClassSpec& spec, const PoolSpec& pool) {
    return spec.pools.empty() || std::ranges::find(spec.pools, pool.name) != spec.pools.end();
}

bool goes_by(const ClassSpec& spec, Precision format) {
    return !spec.training.precision &&
           std::ranges::find(spec.forbidden, format) == spec.forbidden.end();
}

} // namespace

Precision
job_format(const Scenario& scenario, const ClassSpec& spec, const Gpu& gpu, Precision given) {
    return spec.training.precision.value_or(
        format_under(scenario.policy.precision, {gpu, given, spec.forbidden}));
}

void check_cluster_format(const Scenario& scenario, const Catalogue& catalogue) {
    const std::optional<Precision> format = cluster_format(scenario.policy.precision);
    if (!format)
        return;
    std::vector<Finding> findings;
    for (const PoolSpec& pool : scenario.fleet) {
        const Gpu* gpu = catalogue.find(pool.gpu);
        const bool is_asked = scenario.classes.empty() ||
                              std::ranges::any_of(scenario.classes, [&](const ClassSpec& spec) {
                                  return may_use(spec, pool) && goes_by(spec, *format);
                              });
        if (gpu == nullptr || !is_asked || supports(*gpu, *format))
            continue;
        const Precision best = BestSupported::format({*gpu, Precision::fp32, {}});
        Finding finding = mistake(
            fmt::format("{} of pool {} has no {}", gpu->name, pool.name, name(*format)),
            precision_fault(*gpu, *format)->remedy(),
            fmt::format("best-supported trains in {} there; or keep the classes off it by `pools`, "
                        "or give them a `precision`",
                        name(best)));
        finding.place = scenario.places.precision;
        finding.path = "policy.precision";
        findings.push_back(std::move(finding));
    }
    if (!findings.empty())
        throw ScenarioError{std::move(findings)};
}

} // namespace bursar::inline scenarios
