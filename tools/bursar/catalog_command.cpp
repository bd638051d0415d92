#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "models/gpu/gpu.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "tools/bursar/catalog_lists.hpp"
#include "tools/bursar/catalog_topology.hpp"
#include "tools/bursar/command.hpp"

namespace bursar::inline tools {
namespace {

/// A fact, or an honest blank.
std::string cell(std::optional<double> fact) {
    return fact ? fmt::format("{:g}", *fact) : "-";
}

void print_table(const Catalogue& catalogue) {
    fmt::print("{:<20}{:>7}{:>8}{:>9}{:>7}", "GPU", "GB", "GB/s", "link GB/s", "W");
    for (const std::string_view precision : precision_names)
        fmt::print("{:>8}", precision);
    fmt::print("  aliases\n");
    for (const Gpu& gpu : catalogue.gpus) {
        fmt::print("{:<20}{:>7}{:>8}{:>9}{:>7}",
                   gpu.name,
                   cell(gpu.memory_gb),
                   cell(gpu.memory_bandwidth_gb_s),
                   cell(gpu.scaleup_gb_s),
                   cell(gpu.tdp_w));
        for (const std::optional<double>& peak : gpu.dense_peak_tflops)
            fmt::print("{:>8}", cell(peak));
        fmt::print("  {}\n", fmt::join(gpu.aliases, ", "));
    }
    fmt::print(
        "\nPeaks are dense TFLOP/s; link is one direction of the scale-up link; - is not known.\n"
        "`bursar catalog NAME` shows sources and dates.\n");
}

[[noreturn]] void unknown_gpu(const Catalogue& catalogue, const std::string& name) {
    Finding finding;
    finding.problem = fmt::format("no GPU is named \"{}\"", name);
    std::vector<std::string> known = catalogue.names();
    known.insert(known.end(), {"models", "stacks", "carbon", "topology"}); // its lists
    finding.suggestion = suggestion(name, known);
    throw ScenarioError{finding};
}

void print_gpu(const Catalogue& catalogue, const std::string& name) {
    const Gpu* gpu = catalogue.find(name);
    if (gpu == nullptr)
        unknown_gpu(catalogue, name);
    const auto line = [](std::string_view what, const std::string& value, std::string_view unit) {
        fmt::print("  {:<20}{} {}\n", what, value, value == "-" ? "" : unit);
    };
    fmt::print("{} ({})\n", gpu->name, gpu->vendor);
    line("memory", cell(gpu->memory_gb), "GB");
    line("memory bandwidth", cell(gpu->memory_bandwidth_gb_s), "GB/s");
    line("scale-up link", cell(gpu->scaleup_gb_s), "GB/s, one direction");
    line("power", cell(gpu->tdp_w), "W");
    for (std::size_t p = 0; p < precision_names.size(); ++p) {
        line(precision_names[p], cell(gpu->dense_peak_tflops[p]), "TFLOP/s, dense");
        if (const std::optional<double>& share = gpu->achievable_fraction[p])
            line("  best product", cell(*share * *gpu->dense_peak_tflops[p]), "TFLOP/s, measured");
    }
    fmt::print("  source              {}\n  date                {}\n", gpu->source, gpu->date);
}

} // namespace

void add_catalog_command(Command program) {
    Command command = program.add_subcommand(
        "catalog", "list the GPUs, networks, stacks and topologies that scenarios can use");
    const auto file = std::make_shared<std::string>();
    const auto name = std::make_shared<std::string>();
    command.add_option("GPU", *name, "GPU to describe, with sources");
    command.add_option("--catalog", *file, "GPU catalogue in place of the built-in one")
        .type_name("FILE");
    add_catalog_lists(command);
    add_catalog_topology(command);
    command.callback([file, name] {
        const Catalogue catalogue = file->empty() ? builtin_catalogue() : read_catalogue(*file);
        name->empty() ? print_table(catalogue) : print_gpu(catalogue, *name);
    });
}

} // namespace bursar::inline tools
