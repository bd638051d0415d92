#include "scenarios/compile/speeds/job_format.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "models/training/job/precision_plan.hpp"

#include "policies/precision/registry.hpp"

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

bool may_use(const ClassSpec& spec, const PoolSpec& pool) {
    return spec.pools.empty() || std::ranges::find(spec.pools, pool.name) != spec.pools.end();
}

bool goes_by(const ClassSpec& spec, Precision format) {
    return !spec.training.precision &&
           std::ranges::find(spec.forbidden, format) == spec.forbidden.end();
}

/// Whether the policy, not the class, chooses the format of some jobs on a pool.
bool some_go_by(const Scenario& scenario,
                const PoolSpec& pool,
                const std::vector<Precision>& formats) {
    return scenario.classes.empty() ||
           std::ranges::any_of(scenario.classes, [&](const ClassSpec& spec) {
               return may_use(spec, pool) && std::ranges::any_of(formats, [&](Precision format) {
                          return goes_by(spec, format);
                      });
           });
}

std::string names_of(const std::vector<Precision>& formats) {
    std::vector<std::string_view> names;
    for (const Precision format : formats)
        names.push_back(name(format));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The mistake of a GPU that has none of the formats.
Finding lacks(const Gpu& gpu, const PoolSpec& pool, const std::vector<Precision>& formats) {
    const Precision best = BestSupported::format({gpu, Precision::fp32, {}});
    if (formats.size() > 1)
        return mistake(
            fmt::format("{} of pool {} has none of {}", gpu.name, pool.name, names_of(formats)),
            {},
            fmt::format("add {} to `formats`; or keep the classes off it by `pools`, or give them "
                        "a `precision`",
                        name(best)));
    return mistake(
        fmt::format("{} of pool {} has no {}", gpu.name, pool.name, name(formats[0])),
        precision_fault(gpu, formats[0])->remedy(),
        fmt::format("best-supported trains in {} there; or keep the classes off it by `pools`, "
                    "or give them a `precision`",
                    name(best)));
}

} // namespace

Precision
job_format(const Scenario& scenario, const ClassSpec& spec, const Gpu& gpu, Precision given) {
    return spec.training.precision.value_or(format_under(scenario.policy.precision,
                                                         scenario.policy.precision_options,
                                                         {gpu, given, spec.forbidden}));
}

void check_cluster_format(const Scenario& scenario, const Catalogue& catalogue) {
    const std::vector<Precision> formats =
        cluster_formats(scenario.policy.precision, scenario.policy.precision_options);
    std::vector<Finding> findings;
    for (const PoolSpec& pool : scenario.fleet) {
        const Gpu* gpu = catalogue.find(pool.gpu);
        if (formats.empty() || gpu == nullptr || !some_go_by(scenario, pool, formats) ||
            std::ranges::any_of(formats, [&](Precision format) { return supports(*gpu, format); }))
            continue;
        Finding finding = lacks(*gpu, pool, formats);
        finding.place = scenario.places.precision;
        finding.path = "policy.precision";
        findings.push_back(std::move(finding));
    }
    if (!findings.empty())
        throw ScenarioError{std::move(findings)};
}

std::vector<std::string> later_formats(const Scenario& scenario, const Catalogue& catalogue) {
    const std::vector<Precision> formats =
        cluster_formats(scenario.policy.precision, scenario.policy.precision_options);
    std::vector<std::string> notes;
    for (const PoolSpec& pool : scenario.fleet) {
        const Gpu* gpu = catalogue.find(pool.gpu);
        if (gpu == nullptr || formats.empty() || supports(*gpu, formats[0]) ||
            !some_go_by(scenario, pool, formats))
            continue;
        const auto found =
            std::ranges::find_if(formats, [&](Precision format) { return supports(*gpu, format); });
        notes.push_back(fmt::format("{} of pool {} has no {}: policy.precision gives jobs {} there",
                                    gpu->name,
                                    pool.name,
                                    names_of({formats.begin(), found}),
                                    name(*found)));
    }
    return notes;
}

}} // namespace bursar::scenarios
