#include "tools/bursar/metric_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The message for an unknown metric.
std::string no_metric(const std::string& name) {
    return fmt::format("{} is no metric; {}", in_quotes(name), suggestion(name, metric_names()));
}

} // namespace

std::vector<const ScalarRow*> metrics_of(const std::vector<std::string>& names) {
    std::vector<const ScalarRow*> metrics;
    for (const std::string& name : names) {
        const ScalarRow* metric = find_metric(name);
        if (metric == nullptr)
            throw UsageError{"--metrics: " + no_metric(name)};
        if (std::ranges::find(metrics, metric) != metrics.end())
            throw UsageError{fmt::format("--metrics: {} comes twice", in_quotes(name))};
        metrics.push_back(metric);
    }
    return metrics;
}

std::optional<Goal> goal_of(const std::string& text) {
    if (text.empty())
        return std::nullopt;
    ConditionMistake mistake;
    auto goal = parse_goal(text, mistake);
    if (!goal)
        throw UsageError{"--goal: " + (mistake.unknown.empty() ? terminal_text(mistake.why)
                                                               : no_metric(mistake.unknown))};
    return goal;
}

std::vector<std::string> condition_names() {
    std::vector<std::string> names = metric_names();
    for (const auto& [shorter, full] : condition_short_names)
        names.emplace_back(shorter);
    return names;
}

std::vector<FailIf> fail_ifs_of(const std::vector<std::string>& texts) {
    std::vector<FailIf> conditions;
    for (const std::string& text : texts) {
        ConditionMistake mistake;
        auto condition = parse_fail_if(text, mistake);
        if (!condition)
            throw UsageError{"--fail-if: " + (mistake.unknown.empty()
                                                  ? terminal_text(mistake.why)
                                                  : no_metric(mistake.unknown))};
        conditions.push_back(*condition);
    }
    return conditions;
}

}} // namespace bursar::tools
