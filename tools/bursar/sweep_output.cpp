#include "tools/bursar/sweep_output.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/document/render.hpp"
#include "reports/files/write_files.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_formats.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/metric_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

struct SweepFormat {
    std::string_view name;
    std::string_view extension; ///< of its file, "csv"
};
constexpr std::array sweep_formats{SweepFormat{"table", "txt"},
                                   SweepFormat{"json", "json"},
                                   SweepFormat{"csv", "csv"},
                                   SweepFormat{"markdown", "md"},
                                   SweepFormat{"html", "html"}};

void put_output(std::string_view format,
                const SweepTable& table,
                const SweepQuestion& question,
                const Document& answer,
                std::size_t width,
                TextSink& sink) {
    if (format == "csv")
        write_sweep_csv(table, sink);
    else if (format == "json")
        render_json(answer, sink);
    else if (format == "markdown")
        render_markdown(answer, sink);
    else if (format == "html")
        write_sweep_html(table, question, answer, sink);
    else
        render_terminal(answer, width, sink);
}

} // namespace

std::vector<std::string> sweep_format_names() {
    std::vector<std::string> names;
    for (const SweepFormat& one : sweep_formats)
        names.emplace_back(one.name);
    return names;
}

OptionTable<SweepOutput> sweep_output_options() {
    using T = SweepOutput;
    return option_table<T>(
        {{{"--format", &T::format, one_of_texts(sweep_format_names())},
          "output format on stdout; csv: every run"},
         {{"--metrics", &T::metrics, TextListRule{"M1,M2", metric_names}},
          "metrics: scenarios are ranked by the first; the Pareto front is of the first two "
          "(default: cost.total,wait.p90)"},
         {{"--best", &T::best, whole_in(best_range)},
          "number of best scenarios to show (default: 5)"},
         {{"--goal", &T::goal, TextRule{"GOAL", condition_names, NamesForm::first}},
          "condition that a scenario must meet in 0.9 of the seeds, e.g. \"wait.p99 < 1 h\" or "
          "\"wait.p99 < 1 h in 0.95\"; exits with 3 if none does"},
         {"--common-end", &T::common_end, common_end_help}});
}

SweepQuestion SweepOutput::question(const SweepQuestion& saved) const {
    SweepQuestion request = saved;
    if (best)
        request.best = *best;
    if (!metrics.empty())
        request.metrics = metrics_of(metrics);
    if (!goal.empty())
        request.goal = goal_of(goal);
    if (common_end && !rank_common_end(request))
        throw UsageError{fmt::format("--common-end: ranks by cost, and the first metric is {}",
                                     metric_name(*request.metrics.front()))};
    return request;
}

void SweepOutput::show(const SweepTable& table,
                       const SweepQuestion& request,
                       const std::filesystem::path& folder,
                       std::uint64_t num_wanted,
                       const InputFiles& inputs) const {
    const Document answer = sweep_answer(table, request);
    if (!folder.empty()) {
        std::vector<FileContent> contents;
        for (const SweepFormat& one : sweep_formats)
            contents.push_back({fmt::format("sweep.{}", one.extension), [&](TextSink& sink) {
                                    put_output(one.name, table, request, answer, page_width, sink);
                                }});
        write_files(folder, contents, inputs);
        log("written to {}\n", terminal_text(folder.string()));
    }
    for (const std::string& warning : answer.warnings)
        log("warning: {}\n", terminal_text(warning));
    StandardOutput sink{readers_of(format)};
    put_output(format, table, request, answer, terminal_width(page_width), sink);
    sink.flush();
    const auto num_done =
        static_cast<std::uint64_t>(std::ranges::count_if(table.rows, [&](const SweepRow& row) {
            // What refining tried need not be possible.
            return row.failure.empty() || table.refined.is_added(row.scenario);
        }));
    if (num_done < num_wanted)
        throw SweepIncomplete{
            fmt::format("{} of {} runs have no result", num_wanted - num_done, num_wanted)};
    if (!answer.missed.empty() && num_wanted == table.num_planned) // a shard does not answer it
        throw AssertionFailed{"goal: " + terminal_text(answer.missed)};
}

}} // namespace bursar::tools
