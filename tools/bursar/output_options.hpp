#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/files/packing.hpp"
#include "reports/files/write_outputs.hpp"
#include "reports/options.hpp"
#include "reports/result/result.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Adds --format, with the names of `outputs`, and --out.
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

/// Which files of a run are written, and how: shared by run, report, demo and compare.
struct FileChoice {
    std::vector<std::string> files; ///< names of formats; empty: the usual ones
    bool gzip{};                    ///< the short form of `packing`
    std::optional<Packing> packing; ///< of CSV files

    /// Adds --files, --compress and --gzip to a command that has --out. what: description of
    /// --files.
    void add_to(Command command, const std::string& what);

    /// Throws UsageError if --files has an unknown or repeated name.
    [[nodiscard]] ChosenOutputs chosen() const;
};

/// An instant of the command line: a date with an optional time, UTC unless it has an offset, or a
/// time since the start of the run.
struct WrittenInstant {
    std::string text;
    std::int64_t ms{}; ///< since 1970-01-01T00:00Z, or since the start of the run
    bool is_dated{};

    /// Throws UsageError or ScenarioError if `text` is no instant. option: for messages.
    [[nodiscard]] static WrittenInstant read(const std::string& text, const std::string& option);

    /// Time since the start of the run, >= 0. Throws UsageError for a date if the run has no dates,
    /// and for a start after the end of the run.
    [[nodiscard]] Duration in(const Result& result, std::string_view option) const;
};

/// The part of a run in schedule.pftrace: --trace-top, --trace-from, --trace-to.
class TraceLimits {
  public:
    void add_to(Command command);

    /// The first given option; empty: none.
    [[nodiscard]] std::string_view given() const;

    /// Sets them in `options`. Throws as WrittenInstant::in, and if the part is empty.
    void apply(const Result& result, OutputOptions& options) const;

  private:
    std::optional<std::int64_t> top_;
    std::optional<WrittenInstant> from_, to_;
};

/// Output options of a result, shared by run, report and demo.
struct OutputChoice {
    OutputOptions options;
    std::string format{"table"};
    std::string directory; ///< empty: nothing is written
    FileChoice written;    ///< files in `directory`
    std::int64_t top{0};
    TraceLimits trace;

    void add_to(Command command);

    /// Whether an output needs the timeline; it is recorded only then.
    [[nodiscard]] bool needs_timeline() const;

    /// Whether an output has the cost of each month, which needs the timeline if nodes come and go.
    [[nodiscard]] bool shows_months() const;

    /// Given options that do not apply to a comparison or a sweep: "--top", "--files".
    [[nodiscard]] std::vector<std::string_view> given_for_runs_only() const;

    /// Throws if --out cannot be written, or if an option is for a format that is not written.
    /// Called before the run.
    void check(const InputFiles& inputs) const;

    /// Throws UsageError if --bucket makes too many rows for a run of length `span`.
    void check_bucket(Duration span, std::size_t num_pools) const;

    /// Prints the result on stdout and, with --out, writes every output. Throws ReportError,
    /// UsageError as check_bucket, and OutputIsInput if an output would overwrite one of `inputs`.
    void show(const Result& result, const InputFiles& inputs);
};

}} // namespace bursar::tools
