#include "scenarios/compile/jobs/idle_matches.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::vector<std::string> job_names(const Trace& trace) {
    std::set<std::string_view> names;
    for (std::size_t row = 0; row < trace.name_end.size(); ++row)
        names.insert(trace.name(row));
    return {names.begin(), names.end()};
}

/// The names that a class matches by and that no job has.
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

/// Whether the scenario says by itself, without its jobs, that none reaches the class.
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
        // A preset parts one class into several.
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
