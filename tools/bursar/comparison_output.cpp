#include "tools/bursar/comparison_output.hpp"

#include "reports/compare/compare_formats.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/metric_options.hpp"
#include "tools/command_line/command.hpp"

namespace bursar { inline namespace tools {

OptionTable<ComparisonOutput> comparison_options() {
    using T = ComparisonOutput;
    return option_table<T>(
        {{{"--metrics", &T::metrics, TextListRule{"M1,M2", metric_names}},
          "metrics to compare, e.g. cost.total,wait.p90 (default: the main ones; CSV and JSON have "
          "all)"},
         {"--brief",
          &T::brief,
          "table and Markdown: one line per variant, with its differences to the base"},
         {{"--goal", &T::goal, TextRule{"GOAL", condition_names, NamesForm::first}},
          "condition to meet in 0.9 of the seeds, e.g. \"wait.p99 < 1 h\" or \"wait.p99 < 1 h in "
          "0.95\": shows the cheapest variant that meets it, and exits with 3 if none does"},
         {"--common-end", &T::common_end, common_end_help},
         {&T::output, format_options(format_names(compare_outputs()))}});
}

CompareQuestion ComparisonOutput::question(const CompareQuestion& saved) const {
    CompareQuestion request = saved;
    request.detail = brief ? CompareDetail::brief : CompareDetail::full;
    if (!metrics.empty())
        request.metrics = metrics_of(metrics);
    if (!goal.empty())
        request.goal = goal_of(goal);
    request.common_end = request.common_end || common_end;
    if (common_end && !shows_cost(request))
        throw UsageError{"--common-end: ranks by cost, and neither cost.total nor a goal is shown"};
    return request;
}

void ComparisonOutput::show(const Comparison& comparison,
                            const CompareQuestion& request,
                            const InputFiles& inputs) const {
    output.show(compare_outputs(),
                inputs,
                [&](const CompareOutput& format, std::size_t width, TextSink& sink) {
                    format.write(comparison, request, width, sink);
                });
    if (const auto answer = compare_goal(comparison, request); answer && !answer->is_met)
        throw AssertionFailed{"goal: " + terminal_text(answer->sentence)};
}

}} // namespace bursar::tools
