#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "tools/bursar/catalog.hpp"
#include "tools/command_line/answer_options.hpp"
#include "tools/command_line/command.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr double giga = 1e9;
constexpr double tera = 1e12;

/// A fact in the unit of the answer: the catalogue's value times `factor`. nan if not specified.
double fact(const std::optional<double>& value, double factor = 1) {
    return value ? *value * factor : std::numeric_limits<double>::quiet_NaN();
}

/// The rate of the best measured matrix product.
double achievable(const Gpu& gpu, std::size_t precision) {
    const std::optional<double>& share = gpu.achievable_fraction[precision];
    return share ? *share * fact(gpu.dense_peak_tflops[precision], tera) : fact(share);
}

std::string achievable_key(std::string_view precision) {
    return fmt::format("{}_achievable", precision);
}

std::string aliases_of(const Gpu& gpu) {
    return fmt::format("{}", fmt::join(gpu.aliases, ", "));
}

std::vector<ReportColumn> list_columns() {
    std::vector<ReportColumn> columns{{"name", "name", ""},
                                      {"memory", "memory", "B"},
                                      {"memory_bandwidth", "memory bandwidth", "B/s"},
                                      {"scaleup_bandwidth", "link", "B/s"},
                                      {"tdp", "power", "W"}};
    for (const std::string_view precision : precision_names)
        columns.push_back({std::string{precision}, std::string{precision}, "FLOP/s"});
    for (const std::string_view precision : precision_names)
        columns.push_back({achievable_key(precision), "", "FLOP/s", true});
    for (const char* words : {"aliases", "vendor", "source", "date"})
        columns.push_back({words, words, "", true});
    return columns;
}

std::vector<Cell> list_row(const Gpu& gpu) {
    std::vector<Cell> row{gpu.name,
                          fact(gpu.memory_gb, giga),
                          fact(gpu.memory_bandwidth_gb_s, giga),
                          fact(gpu.scaleup_gb_s, giga),
                          fact(gpu.tdp_w)};
    for (const std::optional<double>& peak : gpu.dense_peak_tflops)
        row.emplace_back(fact(peak, tera));
    for (std::size_t i = 0; i < precision_names.size(); ++i)
        row.emplace_back(achievable(gpu, i));
    for (const std::string& words : {aliases_of(gpu), gpu.vendor, gpu.source, gpu.date})
        row.emplace_back(words);
    return row;
}

/// The GPUs of a catalogue, one a row.
Document gpu_list(const Catalogue& catalogue) {
    ReportTable table{
        "gpus",
        "GPUs: dense peaks, links in one direction; `bursar catalog NAME` shows other "
        "names and sources",
        list_columns(),
        {}};
    for (const Gpu& gpu : catalogue.gpus)
        table.rows.push_back(list_row(gpu));
    Document answer;
    answer.command = "catalog";
    answer.add(std::move(table));
    return answer;
}

/// Everything about one GPU.
Document gpu_facts(const Gpu& gpu) {
    Facts facts{
        "gpu",
        gpu.name,
        {{"name", "name", gpu.name, "", ""},
         {"aliases", "other names", aliases_of(gpu), "", ""},
         {"vendor", "vendor", gpu.vendor, "", ""},
         {"memory", "memory", fact(gpu.memory_gb, giga), "B", ""},
         {"memory_bandwidth", "memory bandwidth", fact(gpu.memory_bandwidth_gb_s, giga), "B/s", ""},
         {"scaleup_bandwidth",
          "scale-up link",
          fact(gpu.scaleup_gb_s, giga),
          "B/s",
          "one direction"},
         {"tdp", "power", fact(gpu.tdp_w), "W", "highest design figure"}}};
    for (std::size_t i = 0; i < precision_names.size(); ++i) {
        const std::string precision{precision_names[i]};
        facts.values.push_back(
            {precision, precision, fact(gpu.dense_peak_tflops[i], tera), "FLOP/s", "dense peak"});
        if (gpu.achievable_fraction[i])
            facts.values.push_back({achievable_key(precision),
                                    precision + ", best",
                                    achievable(gpu, i),
                                    "FLOP/s",
                                    "best-shaped matrix product, measured"});
    }
    facts.values.push_back({"date", "read on", gpu.date, "", ""});
    Document answer;
    answer.command = "catalog";
    answer.add(std::move(facts));
    answer.sources.push_back(gpu.source);
    return answer;
}

[[noreturn]] void unknown_gpu(const Catalogue& catalogue, const std::string& name) {
    std::vector<std::string> known = catalogue.names();
    for (const std::string_view list : catalog_list_names())
        known.emplace_back(list);
    known.emplace_back("topology");
    throw ScenarioError{none_named("no GPU or list is", name, known)};
}

/// All GPUs, or one by name.
Document gpu_answer(const Catalogue& catalogue, const std::string& name) {
    if (name.empty())
        return gpu_list(catalogue);
    const std::vector<std::string> known = catalogue.names();
    const std::string* meant = meant_name(name, known);
    const Gpu* gpu = catalogue.find(meant == nullptr ? name : *meant);
    if (gpu == nullptr)
        unknown_gpu(catalogue, name);
    return gpu_facts(*gpu);
}

struct GpuOptions {
    std::string name;
    std::string file;
    AnswerOptions answer;
};

} // namespace

void add_catalog_command(Command program) {
    using T = GpuOptions;
    Command command = add_command(
        program,
        "catalog",
        "list the GPUs, networks, stacks and topologies that scenarios can use",
        option_table<T>(
            {{{"GPU", &T::name, argument()}, "GPU to describe, with sources"},
             {{"--catalog", &T::file, file_name()}, "GPU catalogue in place of the built-in one"},
             {&T::answer, answer_options()}}),
        [](const T& options) {
            const Catalogue catalogue =
                options.file.empty() ? builtin_catalogue() : read_catalogue(options.file);
            options.answer.show(gpu_answer(catalogue, options.name));
        });
    add_catalog_lists(command);
    add_catalog_topology(command);
}

}} // namespace bursar::tools
