#include "tools/bursar/comparison_output.hpp"

#include <algorithm>

#include "reports/compare/compare_formats.hpp"
#include "reports/files/write_files.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/metric_options.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {

void ComparisonOutput::add_to(Command command) {
    command
        .add_list("--metrics",
                  metrics,
                  "metrics to compare, e.g. cost.total,wait.p90 (default: the main ones; CSV and "
                  "JSON have all)")
        .type_name("M1,M2")
        .completes(metric_names, NamesForm::list);
    command.add_flag("--brief",
                     brief,
                     "table and Markdown: one line per variant, with its differences to the base");
    command
        .add_option(
            "--goal",
            goal,
            "condition on a metric, e.g. \"wait.p99 < 1 h\": shows the cheapest variant that "
            "meets it and the next cheaper one, which misses it")
        .type_name("GOAL")
        .completes(condition_names, NamesForm::first);
    add_format_options(command, compare_outputs(), format, directory);
}

CompareQuestion ComparisonOutput::question(const CompareQuestion& saved) const {
    CompareQuestion request = saved;
    request.detail = brief ? CompareDetail::brief : CompareDetail::full;
    if (!metrics.empty())
        request.metrics = metrics_of(metrics);
    if (!goal.empty())
        request.goal = goal_of(goal);
    return request;
}

void ComparisonOutput::check_places(const InputFiles& inputs) const {
    if (directory.empty())
        return;
    for (const CompareOutput& output : compare_outputs())
        check_place(directory, output.file, inputs);
}

void ComparisonOutput::show(const Comparison& comparison,
                            const CompareQuestion& request,
                            const InputFiles& inputs) const {
    if (!directory.empty()) {
        std::vector<FileContent> contents;
        for (const CompareOutput& output : compare_outputs())
            contents.push_back({std::string{output.file}, [&](TextSink& sink) {
                                    output.write(comparison, request, page_width, sink);
                                }});
        write_files(directory, contents, inputs);
        log("written to {}\n", terminal_text(directory));
    }
    StandardOutput sink{readers_of(format)};
    std::ranges::find(compare_outputs(), format, &CompareOutput::name)
        ->write(comparison, request, terminal_width(page_width), sink);
    sink.flush();
}

}} // namespace bursar::tools
