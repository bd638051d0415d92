#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/months.hpp"
#include "reports/diff/diff_formats.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/metric_options.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/command_line/command.hpp"

namespace bursar { inline namespace tools {
namespace {

struct DiffOptions {
    std::string base, fresh;
    std::vector<std::string> fail_if;
    std::vector<std::string> metrics;
    std::optional<std::size_t> top;
    bool all{};
    FormatOptions output;

    [[nodiscard]] DiffQuestion question() const;
    void run() const;
};

OptionTable<DiffOptions> diff_options() {
    using T = DiffOptions;
    return option_table<T>(
               {{{"BASE", &T::base, argument()},
                 "a result.json, or a folder of `run --out`; with @2024-03 behind it, that month "
                 "of "
                 "its bill"},
                {{"NEW", &T::fresh, argument()}, "the result to compare with it"},
                {{"--fail-if", &T::fail_if, repeated("CHANGE", condition_names, NamesForm::first)},
                 "exit with 3 if a metric changed by this much, e.g. \"cost > +5 %\" or \"wait.p99 "
                 "> "
                 "+10 min\"; a ratio in pp or %: \"goodput < -1 pp\"; repeated: any of them"},
                {{"--metrics", &T::metrics, TextListRule{"M1,M2", metric_names}},
                 "metrics to show, e.g. cost.total,wait.p90 (default: the main ones; JSON has "
                 "all)"},
                {"--all", &T::all, "also show what did not change"},
                {{"--top", &T::top, whole_in(up_to(1'000'000'000))},
                 "show the N tenants with the largest change of cost (default: 12) and sum up the "
                 "rest"},
                {&T::output, format_options(format_names(diff_outputs()))}})
        .required("BASE")
        .required("NEW");
}

DiffQuestion DiffOptions::question() const {
    return {metrics_of(metrics), fail_ifs_of(fail_if), all, top};
}

/// One side of the question: "runs/a", "runs/a@2024-03".
struct DiffSide {
    std::string file;
    std::string month; ///< empty: the whole result

    explicit DiffSide(const std::string& place) : file{place} {
        const std::size_t at = place.rfind('@');
        if (at != std::string::npos && !std::filesystem::exists(place)) {
            file = place.substr(0, at);
            month = place.substr(at + 1);
            if (month.empty())
                throw UsageError{fmt::format("{}: no month behind @, such as {}@2024-03",
                                             terminal_text(place),
                                             terminal_text(file))};
        }
        if (std::filesystem::is_directory(file))
            file = (std::filesystem::path{file} / "result.json").string();
    }

    [[nodiscard]] Result load() const {
        Result result = load_result(file);
        return month.empty() ? std::move(result) : bill_of_month(result, month, file);
    }
};

void DiffOptions::run() const {
    const DiffQuestion request = question();
    const DiffSide base_side{base};
    const DiffSide fresh_side{fresh};
    InputFiles inputs;
    for (const DiffSide* side : {&base_side, &fresh_side})
        inputs.add(side->file);
    output.check_places(diff_outputs(), inputs);
    const Result of_base = base_side.load();
    const Result of_fresh = fresh_side.load();
    const ResultDiff diff = diff_results(of_base, of_fresh, base, fresh);
    output.show(
        diff_outputs(), inputs, [&](const DiffOutput& format, std::size_t width, TextSink& sink) {
            format.write(diff, request, width, sink);
        });
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
    add_command(program,
                "diff",
                "compare two results and their scenarios",
                diff_options(),
                &DiffOptions::run);
}

}} // namespace bursar::tools
