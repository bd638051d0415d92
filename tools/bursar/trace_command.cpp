#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/catalog/profiles.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/synth/synthesise.hpp"
#include "scenarios/trace_formats/openb_nodes.hpp"
#include "scenarios/trace_formats/read_trace.hpp"
#include "scenarios/trace_formats/registry.hpp"
#include "scenarios/trace_formats/write_trace.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_options.hpp"
#include "scenarios/traces/trace_summary.hpp"

#include "reports/files/write_files.hpp"

#include "tools/command_line/command.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/option_table.hpp"
#include "tools/command_line/standard_output.hpp"

namespace bursar { inline namespace tools {
namespace {

double in_seconds(double ms) {
    return ms / 1e3;
}
double in_seconds(std::int64_t ms) {
    return static_cast<double>(ms) / 1e3;
}
double gpu_hours(SlotTime time) {
    return static_cast<double>(time.count()) / static_cast<double>(slot_ms_per_gpu_hour);
}

void print_figures(const Trace& trace,
                   const TraceSummary& summary,
                   std::optional<std::int64_t> gpus) {
    put_text("workload           {} of {} ({})\n",
             counted(summary.jobs, "job"),
             counted(summary.tenants, "tenant"),
             trace.format.empty() ? "drawn" : trace.format);
    put_text("GPU-hours          {:.1f}\n", gpu_hours(summary.gpu_time));
    put_text("arrivals           over {:.2f} days, {}\n",
             static_cast<double>(summary.span.count()) / static_cast<double>(day.count()),
             trace.zero_utc_ms ? "dated" : "relative times");
    put_text(
        "run time           mean {:.1f} s, median {:.0f}, p90 {:.0f}, p99 {:.0f}, max {:.0f}\n",
        in_seconds(summary.duration.mean_ms),
        in_seconds(summary.duration.median_ms),
        in_seconds(summary.duration.p90_ms),
        in_seconds(summary.duration.p99_ms),
        in_seconds(summary.duration.max_ms));
    put_text("between arrivals   mean {:.1f} s, coefficient of variation {:.2f}\n",
             in_seconds(summary.mean_interarrival_ms),
             summary.interarrival_cv);
    put_text("peak demand        {:.0f} GPUs, if no job waited\n",
             static_cast<double>(summary.peak_slots) / static_cast<double>(slots_per_gpu));
    if (gpus)
        put_text("load               {:.4f} on {} GPUs\n", summary.offered_load(*gpus), *gpus);
}

/// "submit, t1 as start": columns of the file and the fields they were read as.
std::string columns_read(const Trace& trace) {
    std::vector<std::string> read;
    for (const ReadColumn& column : trace.columns)
        if (!column.read_as.empty())
            read.push_back(column.name == column.read_as
                               ? printable(column.name)
                               : fmt::format("{} as {}", printable(column.name), column.read_as));
    return fmt::format("{}", fmt::join(read, ", "));
}

std::string columns_not_read(const Trace& trace) {
    std::vector<std::string> others;
    for (const ReadColumn& column : trace.columns)
        if (column.read_as.empty())
            others.push_back(printable(column.name));
    return others.empty() ? "-" : fmt::format("{}", fmt::join(others, ", "));
}

void print_list(std::string_view what, const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
        put_text("{:<19}{}\n", &line == &lines.front() ? what : "", line);
}

/// Which columns and records of the file were used, and why others were not.
void print_reading(const Trace& trace) {
    put_text("\ncolumns read       {}\n", columns_read(trace));
    put_text("columns not read   {}\n", columns_not_read(trace));
    put_text("records            {} read, {} used\n", trace.num_rows_read, trace.size());
    if (trace.num_not_selected > 0)
        put_text("not selected       {}\n", trace.num_not_selected);
    if (trace.num_left_out > 0)
        put_text("left out           {}\n", trace.num_left_out);
    print_list("", trace.left_out);
    if (trace.num_bad_rows > 0)
        put_text("bad, skipped       {}\n", trace.num_bad_rows);
    print_list("", trace.bad_rows);
    print_list("assumed", trace.assumed);
    print_list("note", trace.notes);
}

void print_gangs(const TraceSummary& summary) {
    put_text("\n  GPUs      jobs   % jobs   % GPU time\n");
    for (const GangShare& gang : summary.gangs) {
        put_text("{:>6}{:>10}{:>9.2f}{:>13.2f}\n",
                 gang.gpus,
                 gang.jobs,
                 100 * gang.job_share,
                 100 * gang.gpu_time_share);
    }
}

void print_ends(const TraceSummary& summary) {
    if (!summary.has_states)
        return;
    constexpr std::array<std::string_view, 5> names{
        "completed", "failed", "cancelled", "node failed", "stopped"};
    put_text("\n  ended             jobs   % jobs   % GPU time\n");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (static_cast<JobEnd>(i) == JobEnd::stopped && summary.ends[i].jobs == 0)
            continue; // trials are rare
        put_text("  {:<12}{:>10}{:>9.2f}{:>13.2f}\n",
                 names[i],
                 summary.ends[i].jobs,
                 100 * summary.ends[i].job_share,
                 100 * summary.ends[i].gpu_time_share);
    }
}

/// The value of a published statistic in the trace itself.
std::optional<double> own_value(std::string_view name, const TraceSummary& summary) {
    for (const auto& [of, value] :
         {std::pair{"mean_gpus", summary.mean_gpus},
          std::pair{"median_gpus", summary.median_gpus},
          std::pair{"mean_run_s", in_seconds(summary.duration.mean_ms)},
          std::pair{"median_run_s", in_seconds(summary.duration.median_ms)},
          std::pair{"max_run_s", in_seconds(summary.duration.max_ms)},
          std::pair{"mean_gpu_s",
                    gpu_hours(summary.gpu_time) * 3600 / static_cast<double>(summary.jobs)}})
        if (name == of)
            return value;
    constexpr std::string_view gangs = "gangs_of_";
    if (name.starts_with(gangs)) {
        std::uint32_t gpus = 0;
        std::from_chars(name.data() + gangs.size(), name.data() + name.size(), gpus);
        const auto found = std::ranges::find(summary.gangs, gpus, &GangShare::gpus);
        return found == summary.gangs.end() ? 0.0 : found->job_share;
    }
    for (const auto& [end, which] : {std::pair{"completed", JobEnd::completed},
                                     std::pair{"cancelled", JobEnd::cancelled},
                                     std::pair{"failed", JobEnd::failed}}) {
        const auto& share = summary.ends[static_cast<std::size_t>(which)];
        if (summary.has_states && name == fmt::format("jobs_{}", end))
            return share.job_share;
        if (summary.has_states && name == fmt::format("gpu_time_{}", end))
            return share.gpu_time_share;
    }
    return std::nullopt;
}

void print_targets(const TraceSummary& summary, const SyntheticProfile& profile) {
    put_text("\n  statistic             here    published   ratio   source\n");
    for (const Target& target : profile.targets) {
        const std::optional<double> own = own_value(target.name, summary);
        put_text("  {:<18}{:>8}{:>13}{:>8}   {}\n",
                 target.name,
                 own ? fmt::format("{:.4g}", *own) : "-",
                 fmt::format("{:.4g}", target.value),
                 own ? fmt::format("{:.3f}", *own / target.value) : "-",
                 target.source);
    }
}

std::vector<std::string> trace_format_names() {
    std::vector<std::string> names;
    for (const TraceFormat& format : trace_formats())
        names.emplace_back(format.name);
    return names;
}

constexpr std::int64_t max_gpus = 1'000'000'000;
constexpr std::int64_t max_jobs = 100'000'000;

/// A stream into a sink. Exceptions of the sink pass through the stream's functions.
class SinkBuffer final : public std::streambuf {
  public:
    explicit SinkBuffer(TextSink& sink) : sink_{sink} {}

  private:
    int_type overflow(int_type c) override {
        if (!traits_type::eq_int_type(c, traits_type::eof()))
            sink_.put(traits_type::to_char_type(c));
        return traits_type::not_eof(c);
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        sink_.put(std::string_view{text, static_cast<std::size_t>(size)});
        return size;
    }

    TextSink& sink_;
};

/// Writes to a file, whole or not at all; to stdout if no file is named.
void write_to(const std::string& file,
              const InputFiles& inputs,
              const Trace& trace,
              const std::string& format) {
    if (file.ends_with(".gz") || file.ends_with(".zst"))
        throw UsageError{fmt::format(
            "{}: traces are written uncompressed; omit --out and pipe into gzip", file)};
    std::vector<std::string> lost;
    const auto write = [&](TextSink& sink) {
        SinkBuffer buffer{sink};
        std::ostream out{&buffer};
        out.exceptions(std::ios::badbit);
        lost = write_trace(trace, format, out);
    };
    if (file.empty()) {
        StandardOutput out{ReadBy::programs};
        write(out);
        out.flush();
    } else {
        write_file(file, inputs, write);
    }
    if (!lost.empty())
        log("warning: {} cannot hold: {}\n", format, fmt::join(lost, ", "));
}

/// How to read a trace file: the keys of `workload.trace` that make sense without a scenario.
struct TraceFile {
    TraceOptions options;
    bool skip_bad_rows{};
    std::string start;
    std::vector<std::string> columns;
    std::optional<std::int64_t> min_gpus;
    std::optional<std::int64_t> shards_per_gpu;

    [[nodiscard]] Trace read() {
        if (skip_bad_rows)
            options.on_bad_row = OnBadRow::skip;
        if (!start.empty())
            options.start = start;
        if (min_gpus)
            options.select.gpus = CountRange{*min_gpus, std::nullopt};
        options.shards_per_gpu = shards_per_gpu;
        for (const std::string& pair : columns) {
            const std::size_t equals = pair.find('=');
            if (equals == std::string::npos)
                fail_input("--columns", mistake(in_quotes(pair) + " is not OURS=THEIRS"));
            const std::string ours = pair.substr(0, equals);
            if (!options.columns.emplace(ours, without_quotes(pair.substr(equals + 1))).second)
                fail_input("--columns", mistake(in_quotes(ours) + " is mapped twice"));
        }
        for (const char* option : {"format", "columns", "times", "zone", "start"})
            options.places.note(option, {Place{std::string{"--"} + option}, {}});
        options.places.note("on_bad_row", {Place{"--skip-bad-rows"}, {}});
        options.places.note("shards_per_gpu", {Place{"--shards-per-gpu"}, {}});
        Trace trace = read_trace(options);
        for (const std::string& row : trace.bad_rows)
            log("skipped: {}\n", row);
        if (trace.num_bad_rows > 0)
            log("{} bad rows skipped\n", trace.num_bad_rows);
        return trace;
    }
};

OptionTable<TraceOptions> format_and_times() {
    using T = TraceOptions;
    return option_table<T>(
        {{{"FILE", &T::file, argument()}, "trace file, plain, .gz or .zst"},
         {{"--format", &T::format, name_among(trace_format_names)},
          "format of the file (default: detected)"},
         {{"--times", &T::times, choice(written_times_names)},
          "for csv: how its times are written; as-seen: dates, or seconds from a start of its own"},
         {{"--zone", &T::zone, word("ZONE")}, "time zone of times without one"}});
}

OptionTable<TraceFile> trace_file_options() {
    using T = TraceFile;
    return option_table<T>(
               {{&T::options, format_and_times()},
                {{"--columns", &T::columns, TextListRule{"OURS=THEIRS,..."}},
                 "names of its columns (csv: gpus=num_gpus,submit=start), or their positions "
                 "(sacct without a "
                 "header: JobID=1,State=6)"},
                {{"--start", &T::start, word("DATE")}, "date of time zero, for relative times"},
                {{"--min-gpus", &T::min_gpus, whole_in(up_to(max_gpus))},
                 "skip jobs with fewer GPUs"},
                {{"--shards-per-gpu", &T::shards_per_gpu, whole_in(up_to(1000))},
                 "for sacct: how many gres/shard, or gres/mps, one GPU is divided into"},
                {"--skip-bad-rows", &T::skip_bad_rows, "skip unusable rows; count and list them"}})
        .required("FILE");
}

/// What --profiles takes, and the names of the built-in ones.
constexpr const char* profiles_help = "cluster statistics in place of the built-in ones";
TextRule profile_name() {
    return name_among([] { return builtin_profiles().names(); });
}

KnownTextRule written_format() {
    return {"NAME", trace_format_names()};
}

struct InfoOfTrace {
    TraceFile trace;
    std::optional<std::int64_t> gpus;
    std::string like;
    std::string profiles;
};

OptionTable<InfoOfTrace> info_options() {
    using T = InfoOfTrace;
    return option_table<T>(
        {{&T::trace, trace_file_options()},
         {{"--gpus", &T::gpus, whole_in(up_to(max_gpus))},
          "also print the offered load on a cluster of N GPUs"},
         {{"--like", &T::like, profile_name()},
          "also print the published statistics of a cluster: philly, helios, pai, or one of "
          "--profiles"},
         {{"--profiles", &T::profiles, file_name()}, profiles_help}});
}

/// Throws ScenarioError.
void print_trace_info(InfoOfTrace& options) {
    const Trace trace = options.trace.read();
    std::optional<SyntheticProfile> beside; // throws before anything is printed
    if (!options.like.empty())
        beside = (options.profiles.empty() ? builtin_profiles() : read_profiles(options.profiles))
                     .profile(options.like);
    const TraceSummary summary = summarise(trace);
    print_figures(trace, summary, options.gpus);
    print_gangs(summary);
    print_ends(summary);
    print_reading(trace);
    if (beside)
        print_targets(summary, *beside);
}

struct Conversion {
    TraceFile trace;
    std::string to{"csv"};
    std::string out;
};

OptionTable<Conversion> conversion_options() {
    using T = Conversion;
    return option_table<T>({{&T::trace, trace_file_options()},
                            {{"--to", &T::to, written_format()}, "format to write"},
                            {{"--out", &T::out, file_name()}, "file to write (default: stdout)"}});
}

void convert(Conversion& options) {
    InputFiles inputs;
    inputs.add(options.trace.options.file);
    write_to(options.out, inputs, options.trace.read(), options.to);
}

struct Synthesis {
    SyntheticSpec spec;
    std::string format{"csv"};
    std::string out;
};

OptionTable<SyntheticSpec> synthetic_options() {
    using T = SyntheticSpec;
    return option_table<T>(
               {{{"--like", &T::like, profile_name()}, "philly, helios, pai, or one of --profiles"},
                {{"--profiles", &T::profiles, file_name()}, profiles_help},
                {{"--jobs", &T::jobs, whole_in(up_to(max_jobs))}, "number of jobs"},
                {{"--gpus", &T::gpus, whole_in(up_to(max_gpus))},
                 "GPUs of the cluster that --load refers to"},
                {{"--load", &T::load, real_in({0, 1e12, false}, "X")},
                 "offered load: GPU time requested over the capacity of the cluster"},
                {{"--seed", &T::seed, whole_in(any_seed)}, "seed; equal seeds give equal traces"}})
        .required("--like")
        .required("--jobs")
        .required("--gpus");
}

OptionTable<Synthesis> synthesis_options() {
    using T = Synthesis;
    return option_table<T>({{&T::spec, synthetic_options()},
                            {{"--format", &T::format, written_format()}, "format to write"},
                            {{"--out", &T::out, file_name()}, "file to write (default: stdout)"}});
}

void synthesise_to(const Synthesis& options) {
    InputFiles inputs;
    if (!options.spec.profiles.empty())
        inputs.add_all(document_facts(options.spec.profiles).files);
    write_to(options.out, inputs, synthesise(options.spec), options.format);
}

/// A pool name may hold small letters, digits and '-'.
std::string pool_name(const std::string& model, std::uint32_t gpus_per_node) {
    std::string name = model;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
        return std::isalnum(c) != 0 ? static_cast<char>(std::tolower(c)) : '-';
    });
    return fmt::format("{}-x{}", name, gpus_per_node);
}

/// Prints the `fleet:` of a scenario for an openb node list: a pool per GPU model and GPUs per
/// node, with prices left to fill in. Nodes without GPUs are left out. Throws ScenarioError.
void print_fleet_of_nodes(const std::string& file) {
    std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> num_nodes;
    for (const NodeRow& node : read_openb_nodes(file)) {
        if (node.gpus > 0)
            ++num_nodes[{node.model, node.gpus}];
    }
    StandardOutput out{ReadBy::programs};
    out.put(
        "fleet:    # fill in purchase and price; `bursar catalog` lists the GPUs that are known\n");
    for (const auto& [shape, count] : num_nodes)
        out.put(fmt::format(
            "  - {{pool: {}, gpu: {}, nodes: {}, gpus_per_node: {}, purchase: , price: }}\n",
            pool_name(shape.first, shape.second),
            shape.first,
            count,
            shape.second));
    out.flush();
}

struct NodeList {
    std::string file;
};

} // namespace

void add_trace_command(Command program) {
    Command trace = program.add_subcommand("trace", "inspect, convert or generate workloads");
    trace.require_subcommand();
    add_command(trace,
                "info",
                "statistics of a trace: jobs, GPU time, arrivals",
                info_options(),
                print_trace_info);
    add_command(
        trace, "convert", "convert a trace to another format", conversion_options(), convert);
    add_command(trace,
                "synth",
                "generate a workload from the published statistics of a cluster",
                synthesis_options(),
                synthesise_to);
    add_command(trace,
                "fleet",
                "print the `fleet` of a scenario from an openb node list",
                option_table<NodeList>({{{"FILE", &NodeList::file, argument()},
                                         "node list (sn, cpu_milli, memory_mib, gpu, model)"}})
                    .required("FILE"),
                [](const NodeList& nodes) { print_fleet_of_nodes(nodes.file); });
}

}} // namespace bursar::tools
