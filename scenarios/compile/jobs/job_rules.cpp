#include "scenarios/compile/jobs/job_rules.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::uint64_t all_pools(std::size_t num_pools) {
    return num_pools == max_pools ? ~std::uint64_t{0} : (std::uint64_t{1} << num_pools) - 1;
}

template <class Test>
std::uint64_t pools_where(const Scenario& scenario, Test test) {
    std::uint64_t pools = 0;
    for (std::size_t p = 0; p < scenario.fleet.size(); ++p) {
        if (test(scenario.fleet[p]))
            pools |= std::uint64_t{1} << p;
    }
    return pools;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether two names of GPUs mean the same: equal, or names of one catalogue entry.
bool same_gpu(const Catalogue& catalogue, const std::string& a, const std::string& b) {
    const Gpu* gpu = catalogue.find(a);
    return a == b || (gpu != nullptr && gpu == catalogue.find(b));
}

} // namespace

JobRules::JobRules(const Scenario& scenario,
                   const Catalogue& catalogue,
                   const Trace& trace,
                   const Plan& plan)
    : trace_{trace} {
    for (const ClassSpec& spec : scenario.classes) {
        ClassRule rule;
        if (spec.match && spec.match->gpus)
            rule.gpus = *spec.match->gpus;
        if (spec.match && !spec.match->tenants.empty()) {
            for (const std::string& tenant : trace.tenants) {
                rule.tenants.push_back(contains(spec.match->tenants, tenant));
            }
        }
        if (spec.match && !spec.match->classes.empty()) {
            rule.classes.push_back(false); // a row without a class
            for (std::size_t i = 1; i < trace.classes.size(); ++i)
                rule.classes.push_back(contains(spec.match->classes, trace.classes[i]));
        }
        if (spec.match)
            rule.names.insert(spec.match->names.begin(), spec.match->names.end());
        rule.pools = spec.pools.empty() ? all_pools(plan.pools.size())
                                        : pools_where(scenario, [&](const PoolSpec& pool) {
                                              return contains(spec.pools, pool.name);
                                          });
        classes_.push_back(std::move(rule));
    }
    if (classes_.empty())
        classes_.push_back({{}, {}, {}, {}, all_pools(plan.pools.size())});
    for (const std::vector<std::string>& types : trace.gpu_type_sets) {
        type_set_pools_.push_back(
            types.empty()
                ? all_pools(plan.pools.size())
                : pools_where(scenario, [&](const PoolSpec& pool) {
                      return std::any_of(types.begin(), types.end(), [&](const std::string& type) {
                          return same_gpu(catalogue, type, pool.gpu);
                      });
                  }));
    }
}

std::uint16_t JobRules::class_of(std::size_t row) const {
    const std::uint16_t tenant = trace_.tenant.empty() ? 0 : trace_.tenant[row];
    const std::uint16_t own_class = trace_.job_class.empty() ? 0 : trace_.job_class[row];
    const auto matches = [&](const ClassRule& rule) {
        return rule.gpus.contains(trace_.gpus[row]) &&
               (rule.tenants.empty() || rule.tenants[tenant]) &&
               (rule.classes.empty() || rule.classes[own_class]) &&
               (rule.names.empty() ||
                (!trace_.name_end.empty() && rule.names.contains(trace_.name(row))));
    };
    const auto found = std::find_if(classes_.begin(), classes_.end(), matches);
    return static_cast<std::uint16_t>(std::min<std::ptrdiff_t>(
        found - classes_.begin(), static_cast<std::ptrdiff_t>(classes_.size()) - 1));
}

bool JobRules::go_by_kind() const {
    return std::ranges::all_of(classes_, [](const ClassRule& rule) {
        return rule.tenants.empty() && rule.classes.empty() && rule.names.empty();
    });
}

std::uint64_t JobRules::permitted_pools(std::size_t row, std::uint16_t job_class) const {
    const std::uint64_t by_type =
        trace_.gpu_types.empty() ? ~std::uint64_t{0} : type_set_pools_[trace_.gpu_types[row]];
    return classes_[job_class].pools & by_type;
}

std::vector<PlanClass> plan_classes(const Scenario& scenario) {
    std::vector<PlanClass> classes;
    for (const ClassSpec& spec : scenario.classes) {
        PlanClass& one = classes.emplace_back();
        const CheckpointSpec checkpoint = spec.checkpoint.value_or(CheckpointSpec{});
        one.startup = spec.startup.whole;
        one.staged = spec.startup.staged;
        one.teardown = spec.teardown;
        one.checkpoint = checkpoint.kind;
        one.recovery = spec.restart.value_or(spec.startup.whole) + checkpoint.load;
        one.save = checkpoint.save;
        one.interval = checkpoint.young_daly ? Duration{horizon_ms} : checkpoint.interval;
        one.write = checkpoint.write;
        one.increment = checkpoint.increment;
        one.increment_write = checkpoint.increment_write;
        one.full_every = static_cast<std::uint32_t>(checkpoint.full_every);
        one.drops_late = spec.late == LateRule::drop;
    }
    if (classes.empty())
        classes.emplace_back();
    return classes;
}

namespace {

std::vector<std::string> job_names(const Trace& trace) {
    std::set<std::string_view> names;
    for (std::size_t row = 0; row < trace.name_end.size(); ++row)
        names.insert(trace.name(row));
    return {names.begin(), names.end()};
}

/// Names that a class matches and that no job has.
std::vector<Finding> unknown_names(const std::vector<std::string>& wanted,
                                   const std::vector<std::string>& known,
                                   std::string_view what) {
    std::vector<Finding> unknown;
    for (const std::string& name : wanted)
        if (std::ranges::find(known, name) == known.end())
            unknown.push_back(mistake(fmt::format("no job is {} {}", what, in_quotes(name)),
                                      {},
                                      suggestion(name, known)));
    return unknown;
}

/// Whether the scenario alone shows that no job reaches the class.
bool is_known_idle(const Scenario& scenario, const std::string& path) {
    return std::ranges::find(scenario.warnings, path, &Finding::path) != scenario.warnings.end();
}

} // namespace

std::vector<std::string> idle_matches(const Scenario& scenario,
                                      const Trace& trace,
                                      std::span<const std::uint64_t> jobs_of_class) {
    std::vector<std::string> warnings;
    const auto warn = [&](Finding finding, const Place& place, std::string path) {
        finding.place = place;
        finding.path = std::move(path);
        // A preset splits one class into several, which would repeat the finding.
        const std::string text = finding.text();
        if (std::ranges::find(warnings, text) == warnings.end())
            warnings.push_back(text);
    };
    std::vector<std::string> names;
    const bool by_name = std::ranges::any_of(scenario.classes, [](const ClassSpec& spec) {
        return spec.match && !spec.match->names.empty();
    });
    if (by_name)
        names = job_names(trace);
    for (std::size_t i = 0; i < scenario.classes.size(); ++i) {
        const ClassSpec& spec = scenario.classes[i];
        if (!spec.match)
            continue;
        const std::string path = fmt::format("workload.classes[{}]", i);
        std::vector<Finding> unknown =
            unknown_names(spec.match->tenants, trace.tenants, "of tenant");
        for (Finding& finding : unknown_names(spec.match->names, names, "named"))
            unknown.push_back(std::move(finding));
        for (Finding& finding : unknown_names(spec.match->classes, trace.classes, "of class"))
            unknown.push_back(std::move(finding));
        for (Finding& finding : unknown)
            warn(std::move(finding), spec.place, path + ".match");
        if (jobs_of_class[i] == 0 && unknown.empty() && scenario.preset.empty() &&
            !is_known_idle(scenario, path))
            warn(mistake("no job is of this class",
                         "what it says is without effect",
                         "widen its match, or remove it"),
                 spec.place,
                 path);
    }
    return warnings;
}

}} // namespace bursar::scenarios
