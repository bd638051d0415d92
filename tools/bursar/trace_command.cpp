#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

#include "reports/files/write_files.hpp"

#include "tools/bursar/trace_info.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/simulate/simulation_error.hpp"

namespace bursar { inline namespace tools {
namespace {

std::vector<std::string> format_names() {
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
        throw SimulationError{fmt::format(
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
    std::int64_t min_gpus{};

    void add_to(Command command) {
        command.add_option("FILE", options.file, "trace file, plain, .gz or .zst").required();
        command.add_option("--format", options.format, "format of the file (default: detected)")
            .type_name("NAME")
            .completes(format_names);
        command
            .add_list("--columns",
                      columns,
                      "for csv: names of its columns, e.g. gpus=num_gpus,submit=start")
            .type_name("OURS=THEIRS,...");
        command.add_choice<WrittenTimes>(
            "--times",
            options.times,
            written_times_names,
            "for csv: how its times are written (default: recognised: dates, or seconds from a "
            "start of its own)");
        command.add_option("--zone", options.zone, "time zone of times without one")
            .type_name("ZONE")
            .show_default();
        command.add_option("--start", start, "date of time zero, for relative times")
            .type_name("DATE");
        command.add_option("--min-gpus", min_gpus, up_to(max_gpus), "skip jobs with fewer GPUs")
            .type_name("N");
        command.add_flag(
            "--skip-bad-rows", skip_bad_rows, "skip unusable rows; count and list them");
    }

    [[nodiscard]] Trace read() {
        if (skip_bad_rows)
            options.on_bad_row = OnBadRow::skip;
        if (!start.empty())
            options.start = start;
        if (min_gpus > 0)
            options.select.gpus = CountRange{min_gpus, std::nullopt};
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
        Trace trace = read_trace(options);
        for (const std::string& row : trace.bad_rows)
            log("skipped: {}\n", row);
        if (trace.num_bad_rows > 0)
            log("{} bad rows skipped\n", trace.num_bad_rows);
        return trace;
    }
};

void add_profiles(Command command, std::string& file) {
    command.add_option("--profiles", file, "cluster statistics in place of the built-in ones")
        .type_name("FILE");
}

void add_info(Command trace) {
    struct Options {
        TraceFile trace;
        std::int64_t gpus{};
        std::string like;
        std::string profiles;
    };
    Command command =
        trace.add_subcommand("info", "statistics of a trace: jobs, GPU time, arrivals");
    const auto options = std::make_shared<Options>();
    options->trace.add_to(command);
    command
        .add_option("--gpus",
                    options->gpus,
                    up_to(max_gpus),
                    "also print the offered load on a cluster of N GPUs")
        .type_name("N");
    command
        .add_option("--like",
                    options->like,
                    "also print the published statistics of a cluster: philly, helios, pai, or one "
                    "of --profiles")
        .type_name("NAME")
        .completes([] { return builtin_profiles().names(); });
    add_profiles(command, options->profiles);
    command.callback([options] {
        print_trace_info(options->trace.read(), options->gpus, options->like, options->profiles);
    });
}

void add_convert(Command trace) {
    struct Options {
        TraceFile trace;
        std::string to{"csv"};
        std::string out;
    };
    Command command = trace.add_subcommand("convert", "convert a trace to another format");
    const auto options = std::make_shared<Options>();
    options->trace.add_to(command);
    command.add_option("--to", options->to, "format to write")
        .one_of_words(format_names())
        .type_name("NAME")
        .show_default();
    command.add_option("--out", options->out, "file to write (default: stdout)").type_name("FILE");
    command.callback([options] {
        InputFiles inputs;
        inputs.add(options->trace.options.file);
        write_to(options->out, inputs, options->trace.read(), options->to);
    });
}

void add_synth(Command trace) {
    struct Options {
        SyntheticSpec spec;
        std::string format{"csv"};
        std::string out;
    };
    Command command = trace.add_subcommand(
        "synth", "generate a workload from the published statistics of a cluster");
    const auto options = std::make_shared<Options>();
    command.add_option("--like", options->spec.like, "philly, helios, pai, or one of --profiles")
        .type_name("NAME")
        .completes([] { return builtin_profiles().names(); })
        .required();
    add_profiles(command, options->spec.profiles);
    command.add_option("--jobs", options->spec.jobs, up_to(max_jobs), "number of jobs")
        .type_name("N")
        .required();
    command
        .add_option("--gpus",
                    options->spec.gpus,
                    up_to(max_gpus),
                    "GPUs of the cluster that --load refers to")
        .type_name("N")
        .required();
    command
        .add_option("--load",
                    options->spec.load,
                    RealRange{0, 1e12, false},
                    "offered load: GPU time requested over the capacity of the cluster")
        .type_name("X")
        .show_default();
    command
        .add_option("--seed", options->spec.seed, any_seed, "seed; equal seeds give equal traces")
        .type_name("N")
        .show_default();
    command.add_option("--format", options->format, "format to write")
        .one_of_words(format_names())
        .type_name("NAME")
        .show_default();
    command.add_option("--out", options->out, "file to write (default: stdout)").type_name("FILE");
    command.callback([options] {
        InputFiles inputs;
        if (!options->spec.profiles.empty())
            inputs.add_all(document_facts(options->spec.profiles).files);
        write_to(options->out, inputs, synthesise(options->spec), options->format);
    });
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
    fmt::print(
        "fleet:    # fill in purchase and price; `bursar catalog` lists the GPUs that are known\n");
    for (const auto& [shape, count] : num_nodes) {
        fmt::print("  - {{pool: {}, gpu: {}, nodes: {}, gpus_per_node: {}, purchase: , price: }}\n",
                   pool_name(shape.first, shape.second),
                   shape.first,
                   count,
                   shape.second);
    }
}

void add_fleet(Command trace) {
    Command command =
        trace.add_subcommand("fleet", "print the `fleet` of a scenario from an openb node list");
    const auto file = std::make_shared<std::string>();
    command.add_option("FILE", *file, "node list (sn, cpu_milli, memory_mib, gpu, model)")
        .required();
    command.callback([file] { print_fleet_of_nodes(*file); });
}

} // namespace

void add_trace_command(Command program) {
    Command trace = program.add_subcommand("trace", "inspect, convert or generate workloads");
    trace.require_subcommand();
    add_info(trace);
    add_convert(trace);
    add_synth(trace);
    add_fleet(trace);
}

}} // namespace bursar::tools
