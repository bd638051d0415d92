#include "tools/bursar/output_options.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/traces/text/timestamps.hpp"

#include "reports/document/render.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/explained_job.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace tools {
namespace {

std::vector<std::string> output_names() {
    return format_names(outputs());
}

/// "prometheus, sreport": formats that are written only if --files names them.
std::string extra_names() {
    std::string names;
    for (const Output& output : outputs())
        if (output.is_extra)
            names += (names.empty() ? "" : ", ") + std::string{output.name};
    return names;
}

constexpr const char* top_name = "--trace-top";
constexpr const char* from_name = "--trace-from";
constexpr const char* to_name = "--trace-to";

/// Whether the text begins like a date: "2026-...".
bool begins_as_date(std::string_view text) {
    return text.size() > 4 && text[4] == '-' && text.find_first_not_of("0123456789") == 4;
}

/// Throws UsageError for a job that the run does not have.
std::size_t job_to_explain(const Result& result, const std::string& job_id) {
    if (const auto job = find_job(result.jobs, job_id))
        return *job;
    throw UsageError{
        fmt::format("--explain: no job is called {}; the column job_id of jobs.csv has "
                    "their names, or their numbers from 0",
                    in_quotes(job_id))};
}

WholeRange any_rows() {
    return up_to(1'000'000'000);
}

OptionTable<TraceLimits> trace_options() {
    using T = TraceLimits;
    const ParsedRule<WrittenInstant> instant{"TIME", WrittenInstant::read};
    return option_table<T>(
        {{{top_name, &T::top, whole_in(any_rows())},
          "schedule.pftrace: only the N jobs with the highest cost"},
         {{from_name, &T::from, instant},
          "schedule.pftrace: start at a date (2017-10-09, 2017-10-09T12:00:00Z) or at a "
          "time since the start of the run (36h)"},
         {{to_name, &T::to, instant}, "schedule.pftrace: end at a date or time, likewise"}});
}

OptionTable<OutputOptions> bill_options() {
    using T = OutputOptions;
    return option_table<T>(
        {{"--all", &T::all, "show every line of the bill, including empty ones"},
         {"--brief",
          &T::brief,
          "with --format markdown, or bill.md of --out: only the bill and the main figures, "
          "for a comment or a message"},
         {{"--group-by", &T::group_by, choice(group_by_names)}, "rows of the bill"},
         {{"--sort", &T::sort, choice(sort_by_names)}, "order of the rows"},
         {{"--share-idle", &T::share_idle, choice(share_idle_names)},
          "how idle time is charged to tenants"},
         {{"--top", &T::top, whole_in(any_rows())}, "show N rows and sum up the rest"},
         {{"--bucket", &T::bucket, time_span("TIME")},
          "timeline.csv: averages over intervals of this length (15min, 1h) instead of "
          "every change"},
         {{"--focus-version", &T::focus_version, choice(focus_version_names)},
          "focus.csv: version of the FOCUS specification"},
         {"--static-charts",
          &T::static_charts,
          "report.html: static drawings, without the script for zooming and tooltips"},
         {"--reproducible",
          &T::reproducible,
          "omit what differs between identical runs: times and memory"}});
}

} // namespace

OptionTable<FormatOptions> format_options(std::vector<std::string> formats) {
    using T = FormatOptions;
    return option_table<T>(
        {{{"--format", &T::format, one_of_texts(std::move(formats))}, "output format on stdout"},
         {{"--out", &T::directory, folder_name()}, "write all output files into this directory"}});
}

OptionTable<FileChoice> file_options(const std::string& what) {
    using T = FileChoice;
    return option_table<T>({{{"--files", &T::files, TextListRule{"F1,F2", output_names}},
                             what + ": table,csv,focus (default: all but " + extra_names() + ")"},
                            {{"--compress", &T::packing, choice(packing_names)},
                             "compress the CSV files of --out: jobs.csv.gz, or jobs.csv.zst"},
                            {"--gzip", &T::gzip, "short for --compress gzip"}})
        .needs("--files", "--out")
        .needs("--compress", "--out")
        .needs("--gzip", "--out")
        .excludes("--gzip", {"--compress"});
}

ChosenOutputs FileChoice::chosen() const {
    const Packing how = gzip ? Packing::gzip : packing.value_or(Packing::none);
    if (files.empty())
        return {usual_outputs(), how};
    std::vector<const Output*> named;
    for (const std::string& name : files) {
        const Output* output = find_output(name);
        if (output == nullptr)
            throw UsageError{fmt::format(
                "--files: {} is no format; {}", in_quotes(name), suggestion(name, output_names()))};
        if (std::ranges::find(named, output) != named.end())
            throw UsageError{fmt::format("--files: {} comes twice", in_quotes(name))};
        named.push_back(output);
    }
    return {named, how};
}

WrittenInstant WrittenInstant::read(const std::string& text, const std::string& option) {
    if (!begins_as_date(text))
        return {text, quantity_of(text, durations, option, Zero::allowed), false};
    const auto utc_ms = parse_date_or_timestamp(text, 0);
    if (!utc_ms)
        throw UsageError{fmt::format("{}: {} is neither a date (such as 2017-10-09 or "
                                     "2017-10-09T12:00:00Z) nor a time since "
                                     "the start of the run (such as 36 h)",
                                     option,
                                     in_quotes(text))};
    return {text, *utc_ms, true};
}

Duration WrittenInstant::in(const Result& result, std::string_view option) const {
    if (is_dated && !result.zero_utc_ms)
        throw UsageError{fmt::format("{}: {} is a date, and the run has no dates; give a time "
                                     "since its start, such as 36 h",
                                     option,
                                     in_quotes(text))};
    const Duration at{is_dated ? std::max<std::int64_t>(ms - *result.zero_utc_ms, 0) : ms};
    if (option == from_name && at >= result.end && result.end > Duration{})
        throw UsageError{fmt::format("{}: {} is after the end of the run, {}",
                                     option,
                                     in_quotes(text),
                                     readable_instant(result.zero_utc_ms, result.end))};
    return at;
}

std::string_view TraceLimits::given() const {
    if (top)
        return top_name;
    if (from)
        return from_name;
    return to ? to_name : "";
}

void TraceLimits::apply(const Result& result, OutputOptions& options) const {
    if (top)
        options.trace_top = top;
    if (from)
        options.trace_from = from->in(result, from_name);
    if (to)
        options.trace_to = to->in(result, to_name);
    if (options.trace_to && options.trace_from.value_or(Duration{}) >= *options.trace_to)
        throw UsageError{fmt::format("{}: {} is not after {}",
                                     to_name,
                                     in_quotes(to->text),
                                     from
                                         ? fmt::format("{} of {}", in_quotes(from->text), from_name)
                                         : std::string{"the start of the run"})};
}

OptionTable<OutputChoice> output_options() {
    using T = OutputChoice;
    return option_table<T>(
        {{&T::output, format_options(output_names())},
         {&T::written, file_options("formats to write with --out, named as for --format")},
         {&T::options, bill_options()},
         {{"--explain", &T::explain, word("JOB")},
          "print the life of one job instead of the bill: its attempts, and why it waited; JOB as "
          "in jobs.csv"},
         {&T::trace, trace_options()}});
}

bool OutputChoice::needs_timeline() const {
    return !output.directory.empty() || !explain.empty() || output.format == "jobs" ||
           output.format == "attempts" || output.format == "timeline" ||
           output.format == "periods" || output.format == "focus" || output.format == "perfetto" ||
           output.format == "result" || output.format == "html";
}

bool OutputChoice::shows_months() const {
    return output.format == "json" || (output.format == "markdown" && !options.brief) ||
           options.group_by == GroupBy::month;
}

std::vector<std::string_view> OutputChoice::given_for_runs_only() const {
    const OutputOptions usual;
    std::vector<std::string_view> given;
    const auto add = [&](std::string_view option, bool is_given) {
        if (is_given)
            given.push_back(option);
    };
    add("--files", !written.files.empty());
    add("--compress", written.packing.has_value());
    add("--gzip", written.gzip);
    add("--all", options.all);
    add("--group-by", options.group_by != usual.group_by);
    add("--sort", options.sort != usual.sort);
    add("--share-idle", options.share_idle != usual.share_idle);
    add("--top", options.top.has_value());
    add("--bucket", options.bucket.has_value());
    add("--focus-version", options.focus_version != usual.focus_version);
    add("--static-charts", options.static_charts);
    add("--explain", !explain.empty());
    add(trace.given(), !trace.given().empty());
    return given;
}

void OutputChoice::check(const InputFiles& inputs) const {
    const ChosenOutputs chosen =
        output.directory.empty() ? ChosenOutputs{.outputs = {}} : written.chosen();
    const auto is_written = [&](std::string_view name) {
        return output.format == name ||
               std::ranges::find(chosen.outputs, find_output(name)) != chosen.outputs.end();
    };
    if (options.brief && !is_written("markdown"))
        throw UsageError{"--brief: needs Markdown output; add --format markdown"};
    if (!explain.empty() && output.format != "table" && output.format != "markdown")
        throw UsageError{
            "--explain: prints a table or Markdown; drop --format, or give one of them"};
    if (!explain.empty() && output.directory.empty()) // files are not about one job
        for (const std::string_view option : given_for_runs_only())
            if (option != "--explain")
                throw UsageError{fmt::format(
                    "{}: has no effect on --explain, which prints one job; drop it", option)};
    if (!trace.given().empty() && !is_written("perfetto"))
        throw UsageError{
            fmt::format("{}: needs schedule.pftrace; add --format perfetto, or perfetto to --files",
                        trace.given())};
    if (!output.directory.empty())
        check_places_of_outputs(output.directory, inputs, chosen);
}

void OutputChoice::check_bucket(Duration span, std::size_t num_pools) const {
    constexpr std::int64_t max_rows = 10'000'000; // 0.7 GB
    const bool is_written = !output.directory.empty() || output.format == "timeline";
    if (!options.bucket || !is_written || num_pools == 0)
        return;
    const auto pools = static_cast<std::int64_t>(num_pools);
    const std::int64_t max_buckets = max_rows / pools;
    const std::int64_t buckets = (span - Duration{1}) / *options.bucket + 1;
    if (buckets <= max_buckets)
        return;
    throw UsageError{fmt::format(
        "--bucket: intervals of {} over {} make {} rows of timeline.csv (at most {} are written); "
        "give intervals of {} or more",
        span_text(*options.bucket),
        span_text(span),
        grouped_text(int128{buckets} * pools, 0),
        grouped_text(max_rows, 0),
        span_text(Duration{span.count() / max_buckets + 1}))};
}

void OutputChoice::show(const Result& result, const InputFiles& inputs) {
    check_bucket(result.end, result.pools.size());
    trace.apply(result, options);
    std::optional<std::size_t> job;
    if (!explain.empty())
        job = job_to_explain(result, explain);
    if (!output.directory.empty()) {
        const ChosenOutputs chosen = written.chosen();
        write_outputs(result, output.directory, options, inputs, chosen);
        log("written to {}\n", terminal_text(output.directory));
        if (const auto left = left_by_others(output.directory, inputs, chosen); !left.empty())
            log("warning: {}: files of an earlier run stay, which this one did not write: {}\n",
                terminal_text(output.directory),
                fmt::join(left, ", "));
    }
    OutputOptions shown = options;
    shown.colour = wants_colour() ? Colour::always : Colour::never;
    shown.width = terminal_width(page_width);
    StandardOutput sink{readers_of(output.format)};
    if (!job)
        find_output(output.format)->write(result, shown, sink);
    else if (output.format == "markdown")
        render_markdown(explained_job(result, *job), sink);
    else
        render_terminal(explained_job(result, *job), shown.width, sink, shown.colour);
    sink.flush();
}

}} // namespace bursar::tools
