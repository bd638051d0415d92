#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/files/packing.hpp"
#include "reports/files/write_files.hpp"
#include "reports/files/write_outputs.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/escape.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/command_line/option_table.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {

/// --format and --out.
struct FormatOptions {
    std::string format{"table"};
    std::string directory; ///< empty: nothing is written

    /// Throws if a file of `outputs` cannot be written into the directory. Called before the runs.
    template <class Outputs>
    void check_places(const Outputs& outputs, const InputFiles& inputs) const {
        for (const auto& output : outputs)
            if (!directory.empty())
                check_place(directory, output.file, inputs);
    }

    /// Prints an answer on stdout and, with --out, writes every format of it. outputs: of all
    /// formats. write(output, width, sink): writes the answer in one of them.
    template <class Outputs, class Write>
    void show(const Outputs& outputs, const InputFiles& inputs, const Write& write) const {
        if (!directory.empty()) {
            std::vector<FileContent> contents;
            for (const auto& output : outputs)
                contents.push_back({std::string{output.file},
                                    [&](TextSink& sink) { write(output, page_width, sink); }});
            write_files(directory, contents, inputs);
            log("written to {}\n", terminal_text(directory));
        }
        StandardOutput sink{readers_of(format)};
        for (const auto& output : outputs)
            if (output.name == format)
                write(output, terminal_width(page_width), sink);
        sink.flush();
    }
};

/// The names of `outputs`.
template <class Outputs>
std::vector<std::string> format_names(const Outputs& outputs) {
    std::vector<std::string> names;
    for (const auto& output : outputs)
        names.emplace_back(output.name);
    return names;
}

/// formats: that --format takes.
[[nodiscard]] OptionTable<FormatOptions> format_options(std::vector<std::string> formats);

/// Which files of a run are written, and how: shared by run, report, demo and compare.
struct FileChoice {
    std::vector<std::string> files; ///< names of formats; empty: the usual ones
    bool gzip{};                    ///< the short form of `packing`
    std::optional<Packing> packing; ///< of CSV files

    /// Throws UsageError if --files has an unknown or repeated name.
    [[nodiscard]] ChosenOutputs chosen() const;
};

/// --files, --compress and --gzip, of a command that has --out. what: description of --files.
[[nodiscard]] OptionTable<FileChoice> file_options(const std::string& what);

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
struct TraceLimits {
    std::optional<std::size_t> top;
    std::optional<WrittenInstant> from, to;

    /// The first given option; empty: none.
    [[nodiscard]] std::string_view given() const;

    /// Sets them in `options`. Throws as WrittenInstant::in, and if the part is empty.
    void apply(const Result& result, OutputOptions& options) const;
};

/// Output options of a result, shared by run, report and demo.
struct OutputChoice {
    FormatOptions output;
    FileChoice written; ///< files in the folder of --out
    OutputOptions options;
    TraceLimits trace;
    std::string explain; ///< a job that is explained in place of the bill; empty: none

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

[[nodiscard]] OptionTable<OutputChoice> output_options();

}} // namespace bursar::tools
