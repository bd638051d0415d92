#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/compare/compare_formats.hpp"
#include "reports/compare/saved_comparison.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/comparison_output.hpp"
#include "tools/bursar/metric_options.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/bursar/sweep_output.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/sweep/sweep_store.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Kinds of saved answers, by the command whose --out wrote them.
enum class Saved : std::uint8_t { run, comparison, sweep };

/// A saved answer and its file.
struct SavedPlace {
    Saved kind{};
    std::filesystem::path
        file; ///< a result.json, comparison.json or sweep.sqlite, whatever its name
};

namespace fs = std::filesystem;

struct KeptFile {
    Saved kind;
    std::string_view name;
};
constexpr std::array kept_files{KeptFile{Saved::run, "result.json"},
                                KeptFile{Saved::comparison, "comparison.json"},
                                KeptFile{Saved::sweep, store_name}};

SavedPlace place_in(const fs::path& folder) {
    std::vector<SavedPlace> found;
    std::vector<std::string_view> names;
    std::error_code error;
    for (const KeptFile& one : kept_files)
        if (fs::exists(folder / one.name, error)) {
            found.push_back({one.kind, folder / one.name});
            names.push_back(one.name);
        }
    if (found.size() == 1)
        return found.front();
    const std::string shown = terminal_text(folder.string());
    if (!found.empty())
        throw BadResult{
            fmt::format("{}: has {}; name one of them", shown, fmt::join(names, " and "))};
    if (fs::exists(folder / "compare.json", error))
        throw BadResult{fmt::format("{}: has a comparison without its comparison.json, which an "
                                    "older bursar did not keep; run `compare --out` again",
                                    shown)};
    throw BadResult{fmt::format("{}: has no result.json, comparison.json or {}, which `run`, "
                                "`compare` and `sweep --out` write",
                                shown,
                                store_name)};
}

/// Throws for a file derived from a saved answer beside it, such as compare.csv.
void refuse_beside_saved(const fs::path& path) {
    std::error_code error;
    for (const KeptFile& one : kept_files)
        if (one.kind != Saved::run && fs::exists(path, error) &&
            fs::exists(path.parent_path() / one.name, error))
            throw BadResult{fmt::format("{}: is no saved result; the {} beside it is",
                                        terminal_text(path.string()),
                                        one.name)};
}

/// The saved answer at `place`, a file or the folder of --out. Any other file is taken for a run's;
/// reading it then reports the error. Throws BadResult if a folder has none or several.
SavedPlace saved_place(const std::string& place) {
    const fs::path path{place};
    std::error_code error;
    if (fs::is_directory(path, error))
        return place_in(path);
    constexpr std::string_view database = "SQLite format 3"; // how every such file begins
    std::array<char, 256> begin{};
    std::ifstream in;
    if (fs::is_regular_file(path, error)) // reading consumes a pipe
        in.open(path, std::ios::binary);
    in.read(begin.data(), begin.size());
    const std::string_view text{begin.data(), static_cast<std::size_t>(in.gcount())};
    if (text.starts_with(database))
        return {Saved::sweep, path};
    if (text.find(fmt::format("\"{}\"", saved_comparison_kind)) != std::string_view::npos)
        return {Saved::comparison, path};
    if (text.find("\"bursar result\"") == std::string_view::npos)
        refuse_beside_saved(path);
    return {Saved::run, path};
}

struct ReportOptions {
    std::vector<std::string> places;
    OutputChoice output; ///< format, folder and --brief also for comparisons and sweeps
    std::vector<std::string> metrics;
    std::string goal;
    std::optional<std::size_t> best;
    bool common_end{};
    bool own_end{};

    void run();
    void show_run(const SavedPlace& saved);
    void show_runs() const;
    void show_comparison(const SavedPlace& saved) const;
    void show_sweep(const SavedPlace& saved) const;
    [[nodiscard]] std::vector<std::string_view> given_for_others_only() const;
    void refuse(std::span<const std::string_view> options, std::string_view what) const;
    void check_format(const std::vector<std::string>& names, std::string_view what) const;
};

OptionTable<ReportOptions> report_options() {
    using T = ReportOptions;
    return option_table<T>(
               {{{"RESULT", &T::places, argument()},
                 "a folder that `run`, `compare` or `sweep --out` wrote, or its result.json, "
                 "comparison.json or sweep.sqlite; several runs with --format prometheus"},
                {&T::output, output_options()},
                {{"--metrics", &T::metrics, TextListRule{"M1,M2"}},
                 "comparisons and sweeps: metrics to show instead of the saved ones"},
                {{"--goal", &T::goal, word("GOAL")},
                 "comparisons and sweeps: condition to meet instead of the saved one, e.g. "
                 "\"wait.p99 < 1 h\""},
                {{"--best", &T::best, whole_in(best_range)},
                 "sweeps: number of best scenarios to show instead of the saved one"},
                {"--common-end", &T::common_end, common_end_help},
                {"--own-end", &T::own_end, "rank by cost.total: undoes a saved --common-end"}})
        .required("RESULT")
        .excludes("--common-end", {"--own-end"})
        .describe(
            "--brief",
            "with --format markdown, or bill.md of --out: only the bill and the main figures, "
            "for a comment or a message; comparisons: as in `compare`");
}

/// Throws UsageError if options were given that do not apply to the saved answer.
void ReportOptions::refuse(std::span<const std::string_view> options, std::string_view what) const {
    if (!options.empty())
        throw UsageError{fmt::format("{}: does not apply to a {}, and {} is one",
                                     fmt::join(options, ", "),
                                     what,
                                     terminal_text(places.front()))};
}

void ReportOptions::check_format(const std::vector<std::string>& names,
                                 std::string_view what) const {
    if (std::ranges::find(names, output.output.format) == names.end())
        throw UsageError{fmt::format("--format: {1} is a {0}, which has no format {2}; it has {3}",
                                     what,
                                     terminal_text(places.front()),
                                     output.output.format,
                                     fmt::join(names, ", "))};
}

/// Given options that do not apply to a run.
std::vector<std::string_view> ReportOptions::given_for_others_only() const {
    std::vector<std::string_view> others;
    if (!metrics.empty())
        others.emplace_back("--metrics");
    if (!goal.empty())
        others.emplace_back("--goal");
    if (best)
        others.emplace_back("--best");
    if (common_end)
        others.emplace_back("--common-end");
    if (own_end)
        others.emplace_back("--own-end");
    return others;
}

/// Several runs in one file.
void ReportOptions::show_runs() const {
    if (output.output.format != "prometheus")
        throw UsageError{"RESULT: only --format prometheus takes several results"};
    std::vector<std::string_view> unused = given_for_others_only();
    std::ranges::copy(output.given_for_runs_only(), std::back_inserter(unused));
    if (!output.output.directory.empty())
        unused.emplace_back("--out");
    if (!unused.empty())
        throw UsageError{
            fmt::format("{}: cannot be used with several results", fmt::join(unused, ", "))};
    std::vector<Result> results;
    for (const std::string& place : places) {
        const SavedPlace saved = saved_place(place);
        if (saved.kind != Saved::run)
            throw UsageError{fmt::format("{}: is not the result of a run; --format prometheus "
                                         "takes several of those",
                                         terminal_text(place))};
        results.push_back(load_result(saved.file));
    }
    std::vector<const Result*> runs;
    for (const Result& result : results)
        runs.push_back(&result);
    StandardOutput out{ReadBy::programs};
    write_prometheus_of(runs, out);
    out.flush();
}

void ReportOptions::show_run(const SavedPlace& saved) {
    refuse(given_for_others_only(), "run");
    InputFiles inputs;
    inputs.add(saved.file);
    output.check(inputs);
    output.show(load_result(saved.file), inputs);
}

void ReportOptions::show_comparison(const SavedPlace& saved) const {
    std::vector<std::string_view> others = output.given_for_runs_only();
    if (best)
        others.emplace_back("--best");
    refuse(others, "comparison");
    check_format(format_names(compare_outputs()), "comparison");
    const ComparisonOutput shown{metrics, goal, output.options.brief, common_end, output.output};
    InputFiles inputs;
    inputs.add(saved.file);
    shown.output.check_places(compare_outputs(), inputs);
    static_cast<void>(shown.question()); // throws before the file is read
    SavedComparison loaded = load_comparison(saved.file);
    loaded.question.common_end = loaded.question.common_end && !own_end;
    shown.show(loaded.comparison, shown.question(loaded.question), inputs);
}

void ReportOptions::show_sweep(const SavedPlace& saved) const {
    std::vector<std::string_view> others = output.given_for_runs_only();
    if (output.options.brief)
        others.emplace_back("--brief");
    refuse(others, "sweep");
    check_format(sweep_format_names(), "sweep");
    const SweepOutput shown{output.output.format, metrics, goal, best, common_end};
    static_cast<void>(shown.question());
    SweepStore store{saved.file};
    InputFiles inputs;
    inputs.add(saved.file);
    const SweepTable table = store.table();
    SweepQuestion asked = store.question();
    if (own_end)
        rank_own_end(asked);
    shown.show(table, shown.question(asked), output.output.directory, table.num_planned, inputs);
}

void ReportOptions::run() {
    if (places.size() > 1) {
        show_runs();
        return;
    }
    const SavedPlace saved = saved_place(places.front());
    if (saved.kind == Saved::run)
        show_run(saved);
    else if (saved.kind == Saved::comparison)
        show_comparison(saved);
    else
        show_sweep(saved);
}

} // namespace

void add_report_command(Command program) {
    add_command(program,
                "report",
                "render a saved run, comparison or sweep in any of its formats",
                report_options(),
                &ReportOptions::run);
}

}} // namespace bursar::tools
