#include "reports/goal/goal.hpp"

#include <fmt/format.h>

#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

bool Goal::holds(double value) const {
    if (value == limit)
        return !is_strict;
    return is_upper ? value < limit : value > limit;
}

std::optional<Goal> parse_goal(std::string_view text, ConditionMistake& mistake) {
    const auto condition = parse_condition(text, "wait.p99 < 1 h", mistake);
    if (!condition)
        return std::nullopt;
    const ScalarKind kind = condition->metric->kind;
    const auto factor = unit_factor(condition->unit, kind);
    if (!condition->number || !factor) {
        mistake.why = fmt::format("\"{}\" is not a number{}",
                                  condition->amount,
                                  kind == ScalarKind::seconds ? " with a unit of time, such as 1 h"
                                                              : " of the metric's unit");
        return std::nullopt;
    }
    return Goal{condition->metric,
                condition->is_less,
                condition->is_strict,
                *condition->number * *factor,
                condition->text};
}

namespace {

Cell or_unknown(std::optional<double> value) {
    return value.value_or(not_known);
}

/// What a value leaves out that is of the jobs that finished, where others did not.
std::string finished_note(const ScalarRow& metric) {
    std::string all = metric.name;
    if (const std::size_t at = all.find("_s."); at != std::string::npos)
        all.insert(at, "_at_least");
    const ScalarRow* bound = all == metric.name ? nullptr : find_scalar(all);
    return bound == nullptr ? "of the jobs that finished"
                            : fmt::format("of the jobs that finished; {} counts the others, too",
                                          metric_name(*bound));
}

} // namespace

Facts goal_section(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked) {
    const GoalCandidate* missed = nullptr;
    const GoalCandidate* met = nullptr;
    for (const GoalCandidate& one : ranked) {
        if (one.value && goal.holds(*one.value)) {
            met = &one;
            break;
        }
        missed = &one;
    }
    Facts out{"goal", fmt::format("goal: {}", goal.text), {}};
    const auto tell = [&](const std::string& key, const char* label, const GoalCandidate& one) {
        const bool is_part = goal.metric->of_finished && one.has_unfinished;
        out.values.push_back({key, label, one.name, "", ""});
        out.values.push_back({key + "_value",
                              metric_name(*goal.metric),
                              or_unknown(one.value),
                              answer_unit(goal.metric->kind),
                              is_part ? finished_note(*goal.metric) : ""});
        out.values.push_back(
            {key + "_" + by.name, metric_name(by), or_unknown(one.rank), answer_unit(by.kind), ""});
    };
    if (met != nullptr)
        tell("met", "the best option that meets it", *met);
    else
        out.values.push_back({"met", "the best option that meets it", std::string{"none"}, "", ""});
    if (missed != nullptr)
        tell("missed",
             met != nullptr ? "the next cheaper option, which misses it"
                            : "the last option, which misses it",
             *missed);
    return out;
}

}} // namespace bursar::reports
