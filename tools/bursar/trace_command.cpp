#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "scenarios/synth/profiles.hpp"
#include "scenarios/synth/synthesise.hpp"
#include "scenarios/traces/read_trace.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/write_trace.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/simulation.hpp"
#include "tools/bursar/trace_fleet.hpp"
#include "tools/bursar/trace_info.hpp"

namespace bursar {
namespace {

/// Writes to a file by way of a temporary name beside it, or to stdout where no file is named.
void write_to(const std::string& file, const Trace& trace, const std::string& format) {
    std::vector<std::string> lost;
    if (file.empty()) {
        lost = write_trace(trace, format, std::cout);
        std::cout.flush();
        if (!std::cout)
            throw SimulationError{"standard output could not be written"};
    } else {
        const std::string temporary = file + ".tmp";
        std::ofstream out{temporary, std::ios::binary};
        if (out)
            lost = write_trace(trace, format, out);
        out.close();
        if (!out || std::rename(temporary.c_str(), file.c_str()) != 0) {
            std::remove(temporary.c_str());
            throw SimulationError{fmt::format("{}: could not be written", file)};
        }
    }
    if (!lost.empty()) {
        fmt::print(stderr, "warning: {} has no room for: {}\n", format, fmt::join(lost, ", "));
    }
}

void add_info(CLI::App& trace) {
    struct Options {
        TraceOptions trace;
        std::int64_t gpus{};
        std::string like;
    };
    CLI::App* command = trace.add_subcommand("info", "what a trace asks for, in figures");
    const auto options = std::make_shared<Options>();
    command->add_option("FILE", options->trace.file, "trace file, plain, .gz or .zst")->required();
    command->add_option("--format", options->trace.format, "its format; recognised if not given");
    command->add_option("--gpus", options->gpus, "also say the load on so many GPUs")
        ->check(CLI::PositiveNumber);
    command->add_option("--like",
                        options->like,
                        "print the published statistics of philly, helios or pai beside its own");
    command->callback(
        [options] { print_trace_info(read_trace(options->trace), options->gpus, options->like); });
}

void add_convert(CLI::App& trace) {
    struct Options {
        TraceOptions trace;
        std::string to{"csv"};
        std::string out;
    };
    CLI::App* command = trace.add_subcommand("convert", "rewrite a trace in another format");
    const auto options = std::make_shared<Options>();
    command->add_option("FILE", options->trace.file, "trace file, plain, .gz or .zst")->required();
    command->add_option("--format", options->trace.format, "its format; recognised if not given");
    command->add_option("--to", options->to, "format to write")->capture_default_str();
    command->add_option("--out", options->out, "file to write; stdout if not given");
    command->callback(
        [options] { write_to(options->out, read_trace(options->trace), options->to); });
}

void add_synth(CLI::App& trace) {
    struct Options {
        SyntheticSpec spec;
        std::string format{"csv"};
        std::string out;
    };
    CLI::App* command = trace.add_subcommand(
        "synth", "draw a seeded workload from the published statistics of a cluster");
    const auto options = std::make_shared<Options>();
    command->add_option("--like", options->spec.like, "philly, helios or pai")->required();
    command->add_option("--jobs", options->spec.jobs, "how many")->required();
    command->add_option("--gpus", options->spec.gpus, "size of the cluster it is meant for")
        ->required();
    command->add_option("--load", options->spec.load, "GPU time asked for over capacity")
        ->capture_default_str();
    command->add_option("--seed", options->spec.seed, "equal seeds, equal traces")
        ->capture_default_str();
    command->add_option("--format", options->format, "format to write")->capture_default_str();
    command->add_option("--out", options->out, "file to write; stdout if not given");
    command->callback(
        [options] { write_to(options->out, synthesise(options->spec), options->format); });
}

void add_fleet(CLI::App& trace) {
    CLI::App* command =
        trace.add_subcommand("fleet", "the fleet of a scenario, out of an openb node list");
    const auto file = std::make_shared<std::string>();
    command->add_option("FILE", *file, "node list (sn, cpu_milli, memory_mib, gpu, model)")
        ->required();
    command->callback([file] { print_fleet_of_nodes(*file); });
}

} // namespace

void add_trace_command(CLI::App& program) {
    CLI::App* trace = program.add_subcommand("trace", "look at, convert or draw workloads");
    trace->require_subcommand(1);
    add_info(*trace);
    add_convert(*trace);
    add_synth(*trace);
    add_fleet(*trace);
}

} // namespace bursar
