#include "reports/goal/goal_section.hpp"

#include <limits>

#include <fmt/format.h>

#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {
namespace {

AnswerCell or_unknown(std::optional<double> value) {
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
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

AnswerSection
goal_section(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked) {
    const GoalCandidate* missed = nullptr;
    const GoalCandidate* met = nullptr;
    for (const GoalCandidate& one : ranked) {
        if (one.value && goal.holds(*one.value)) {
            met = &one;
            break;
        }
        missed = &one;
    }
    AnswerSection out{"goal", fmt::format("goal: {}", goal.text), {}};
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
        tell("met", "the best that meets it", *met);
    else
        out.values.push_back({"met", "the best that meets it", std::string{"none"}, "", ""});
    if (missed != nullptr)
        tell("missed",
             met != nullptr ? "the last before it, which does not" : "the last that does not",
             *missed);
    return out;
}

}} // namespace bursar::reports
