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

/// Which files of a run are written into a folder, and how: shared by run, report, demo and
/// compare.
struct FileChoice {
    std::vector<std::string> files; ///< names of formats; empty: the usual ones
    bool gzip{};                    ///< the short form of `packing`
    std::optional<Packing> packing; ///< of CSV files

    /// Adds --files, --compress and --gzip to a command that has --out. what: is chosen by --files,
    /// in the words of the help text.
    void add_to(Command command, const std::string& what);

    /// Throws UsageError where --files names what is none, or one twice.
    [[nodiscard]] ChosenOutputs chosen() const;
};

/// An instant as one writes it: a date with an optional time, UTC unless it says another offset, or
/// a time since the run's zero.
struct WrittenInstant {
    std::string text;
    std::int64_t ms{}; ///< since 1970-01-01T00:00Z, or since the zero
    bool is_dated{};

    /// Throws UsageError, ScenarioError where `text` is none. option: whose value it is.
    [[nodiscard]] static WrittenInstant read(const std::string& text, const std::string& option);

    /// Since the zero of the result; before it is it. Throws UsageError for a date where the result
    /// has none, and where the run is over before.
    [[nodiscard]] Duration in(const Result& result, std::string_view option) const;
};

/// What of a run schedule.pftrace draws: --trace-top, --trace-from, --trace-to.
class TraceLimits {
  public:
    void add_to(Command command);

    /// The option that is given; empty: none is.
    [[nodiscard]] std::string_view given() const;

    /// Puts them into `options`. Throws as WrittenInstant::in, and where no time is left.
    void apply(const Result& result, OutputOptions& options) const;

  private:
    std::optional<std::int64_t> top_;
    std::optional<WrittenInstant> from_, to_;
};

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
