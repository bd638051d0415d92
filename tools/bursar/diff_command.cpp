#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/diff/diff_formats.hpp"
#include "reports/files/write_files.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/metric_options.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

struct DiffOptions {
    std::string base, fresh;
    std::vector<std::string> fail_if;
    std::vector<std::string> metrics;
    std::int64_t top{};
    bool all{};
    std::string format{"table"};
    std::string directory;

    void add_to(Command command);
    [[nodiscard]] DiffQuestion question() const;
    void run() const;
    void show(const ResultDiff& diff, const DiffQuestion& request, const InputFiles& inputs) const;
};

void DiffOptions::add_to(Command command) {
    command.add_option("BASE", base, "a result.json, or a folder of `run --out`").required();
    command.add_option("NEW", fresh, "the result to compare with it").required();
    command
        .add_option("--fail-if",
                    fail_if,
                    "exit with 3 if a metric changed by this much, e.g. \"cost > +5 %\" or "
                    "\"wait.p99 > +10 min\"; a ratio in pp or %: \"goodput < -1 pp\"; repeated: "
                    "any of them")
        .type_name("CHANGE")
        .completes(condition_names, NamesForm::first)
        .one_value_each();
    command
        .add_list(
            "--metrics",
            metrics,
            "metrics to show, e.g. cost.total,wait.p90 (default: the main ones; JSON has all)")
        .type_name("M1,M2")
        .completes(metric_names, NamesForm::list);
    command.add_flag("--all", all, "also show what did not change");
    command
        .add_option(
            "--top",
            top,
            up_to(1'000'000'000),
            "show the N tenants with the largest change of cost (default: 12) and sum up the rest")
        .type_name("N");
    add_format_options(command, diff_outputs(), format, directory);
}

DiffQuestion DiffOptions::question() const {
    DiffQuestion request{metrics_of(metrics), fail_ifs_of(fail_if), all, {}};
    if (top > 0)
        request.top = static_cast<std::size_t>(top);
    return request;
}

std::string result_file(const std::string& place) {
    const std::filesystem::path path{place};
    return std::filesystem::is_directory(path) ? (path / "result.json").string() : place;
}

void DiffOptions::show(const ResultDiff& diff,
                       const DiffQuestion& request,
                       const InputFiles& inputs) const {
    if (!directory.empty()) {
        std::vector<FileContent> contents;
        for (const DiffOutput& output : diff_outputs())
            contents.push_back({std::string{output.file}, [&](TextSink& sink) {
                                    output.write(diff, request, page_width, sink);
                                }});
        write_files(directory, contents, inputs);
        log("written to {}\n", terminal_text(directory));
    }
    StandardOutput sink{readers_of(format)};
    std::ranges::find(diff_outputs(), format, &DiffOutput::name)
        ->write(diff, request, terminal_width(page_width), sink);
    sink.flush();
}

void DiffOptions::run() const {
    const DiffQuestion request = question();
    InputFiles inputs;
    for (const std::string& place : {base, fresh})
        inputs.add(result_file(place));
    if (!directory.empty())
        for (const DiffOutput& output : diff_outputs())
            check_place(directory, output.file, inputs);
    const Result of_base = load_result(result_file(base));
    const Result of_fresh = load_result(result_file(fresh));
    const ResultDiff diff = diff_results(of_base, of_fresh, base, fresh);
    show(diff, request, inputs);
    std::string failed;
    for (const FailIf& condition : request.fail_if) {
        const FailIfAnswer answer = answer_of(condition, diff);
        if (answer.is_failed)
            failed += fmt::format("{}--fail-if {}: {}",
                                  failed.empty() ? "" : "\n",
                                  terminal_text(answer.text),
                                  terminal_text(answer.reason));
    }
    if (!failed.empty())
        throw AssertionFailed{failed};
}

} // namespace

void add_diff_command(Command program) {
    Command command = program.add_subcommand("diff", "compare two results and their scenarios");
    const auto options = std::make_shared<DiffOptions>();
    options->add_to(command);
    command.callback([options] { options->run(); });
}

}} // namespace bursar::tools
