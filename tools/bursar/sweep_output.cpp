#include "tools/bursar/sweep_output.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "reports/answer/formats.hpp"
#include "reports/files/write_files.hpp"
#include "reports/html/sweep_report.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_csv.hpp"
#include "reports/sweep/sweep_markdown.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/messages.hpp"
#include "tools/bursar/metric_options.hpp"
#include "tools/bursar/standard_output.hpp"
#include "tools/bursar/terminal.hpp"

namespace bursar::inline tools {
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
                const Answer& answer,
                std::size_t width,
                TextSink& sink) {
    if (format == "csv")
        write_sweep_csv(table, sink);
    else if (format == "json")
        write_answer_json(answer, sink);
    else if (format == "markdown")
        write_sweep_markdown(answer, sink);
    else if (format == "html")
        write_sweep_html(table, question, answer, sink);
    else
        write_answer_table(answer, width, sink);
}

} // namespace

void SweepOutput::add_to(Command command) {
    std::vector<std::string> names;
    std::string listed;
    for (const SweepFormat& one : sweep_formats) {
        names.emplace_back(one.name);
        listed += (listed.empty() ? "" : "|") + std::string{one.name};
    }
    command.add_option("--format", format, "output format on stdout; csv: every run")
        .one_of_words(names)
        .type_name(listed)
        .show_default();
    command
        .add_list("--metrics",
                  metrics,
                  "what is looked at: the best are by the first, the front is of the first two "
                  "(default: cost.total,wait.p90)")
        .type_name("M1,M2");
    command.add_option("--best", best, up_to(1'000'000), "how many of the best are shown")
        .type_name("N")
        .show_default();
    command.add_option("--goal", goal, "what a scenario has to meet, e.g. \"wait.p99 < 1 h\"")
        .type_name("GOAL");
}

SweepQuestion SweepOutput::question() const {
    SweepQuestion question = usual_question();
    question.best = static_cast<std::size_t>(best);
    if (!metrics.empty())
        question.metrics = metrics_of(metrics);
    question.goal = goal_of(goal);
    return question;
}

void SweepOutput::show(const SweepTable& table,
                       const std::filesystem::path& folder,
                       std::uint64_t num_wanted,
                       const InputFiles& inputs) const {
    const SweepQuestion asked = question();
    const Answer answer = sweep_answer(table, asked);
    if (!folder.empty()) {
        std::vector<FileContent> contents;
        for (const SweepFormat& one : sweep_formats)
            contents.push_back({fmt::format("sweep.{}", one.extension), [&](TextSink& sink) {
                                    put_output(one.name, table, asked, answer, page_width, sink);
                                }});
        write_files(folder, contents, inputs);
        say("written to {}\n", terminal_text(folder.string()));
    }
    for (const std::string& warning : answer.warnings)
        say("warning: {}\n", terminal_text(warning));
    StandardOutput sink{readers_of(format)};
    put_output(format, table, asked, answer, terminal_width(page_width), sink);
    sink.flush();
    const auto num_done = static_cast<std::uint64_t>(
        std::ranges::count_if(table.rows, [](const SweepRow& row) { return row.failure.empty(); }));
    if (num_done < num_wanted)
        throw SweepIncomplete{
            fmt::format("{} of {} runs have no result", num_wanted - num_done, num_wanted)};
}

} // namespace bursar::inline tools
