#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/options.hpp"
#include "reports/result/result.hpp"

#include "tools/bursar/file_choice.hpp"
#include "tools/bursar/trace_limits.hpp"
#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// --format, one of the names of `outputs` (each has a name), and --out.
template <class Outputs>
void add_format_options(Command command,
                        const Outputs& outputs,
                        std::string& format,
                        std::string& directory) {
    std::vector<std::string> names;
    std::string listed;
    for (const auto& output : outputs) {
        names.emplace_back(output.name);
        listed += (listed.empty() ? "" : "|") + std::string{output.name};
    }
    command.add_option("--format", format, "output format on stdout")
        .one_of_words(names)
        .type_name(listed)
        .show_default();
    command.add_option("--out", directory, "write all output files into this directory")
        .check(not_empty())
        .type_name("DIR");
}

/// The options that say how a result is shown and where it is written; shared by run, report and
/// demo.
struct OutputChoice {
    OutputOptions options;
    std::string format{"table"};
    std::string directory; ///< empty: nothing is written
    FileChoice written;    ///< what is written there
    std::int64_t top{0};
    TraceLimits trace;

    void add_to(Command command);

    /// Whether somebody will look at the timeline: it is recorded only then.
    [[nodiscard]] bool needs_timeline() const;

    /// Whether it says what each month cost; where nodes come and go a timeline has when they did.
    [[nodiscard]] bool shows_months() const;

    /// The options that were given and say nothing of a comparison or a sweep: "--top", "--files".
    [[nodiscard]] std::vector<std::string_view> of_runs_alone() const;

    /// Throws where --out cannot take every one of these, or an option is about a format that is
    /// not written: before the work, not after it.
    void check(const InputFiles& inputs) const;

    /// Throws UsageError where --bucket makes too many rows of a run that lasts for `span`.
    void check_bucket(Duration span, std::size_t num_pools) const;

    /// Prints the result on stdout and, with --out, writes every output. Throws ReportError,
    /// UsageError as check_bucket, and OutputIsInput where one would take the place of one of
    /// `inputs`.
    void show(const Result& result, const InputFiles& inputs);
};

}} // namespace bursar::tools
