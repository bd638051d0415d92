#include <memory>
#include <string>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "tools/bursar/catalog_gpus.hpp"
#include "tools/bursar/catalog_lists.hpp"
#include "tools/bursar/catalog_topology.hpp"
#include "tools/command_line/answer_options.hpp"
#include "tools/command_line/command.hpp"

namespace bursar { inline namespace tools {
namespace {

[[noreturn]] void unknown_gpu(const Catalogue& catalogue, const std::string& name) {
    std::vector<std::string> known = catalogue.names();
    for (const std::string_view list : catalog_list_names())
        known.emplace_back(list);
    known.emplace_back("topology");
    throw ScenarioError{
        mistake("no GPU or list is named " + in_quotes(name), {}, suggestion(name, known))};
}

/// All of them, or one by name.
Answer gpu_answer(const Catalogue& catalogue, const std::string& name) {
    if (name.empty())
        return gpu_list(catalogue);
    const std::vector<std::string> known = catalogue.names();
    const std::string* meant = meant_name(name, known);
    const Gpu* gpu = catalogue.find(meant == nullptr ? name : *meant);
    if (gpu == nullptr)
        unknown_gpu(catalogue, name);
    return gpu_facts(*gpu);
}

} // namespace

void add_catalog_command(Command program) {
    Command command = program.add_subcommand(
        "catalog", "list the GPUs, networks, stacks and topologies that scenarios can use");
    struct Options {
        std::string file;
        std::string name;
        AnswerOptions answer;
    };
    const auto options = std::make_shared<Options>();
    command.add_option("GPU", options->name, "GPU to describe, with sources");
    command.add_option("--catalog", options->file, "GPU catalogue in place of the built-in one")
        .type_name("FILE");
    options->answer.add_to(command);
    add_catalog_lists(command);
    add_catalog_topology(command);
    command.callback([options] {
        const std::string& file = options->file;
        const Catalogue catalogue = file.empty() ? builtin_catalogue() : read_catalogue(file);
        options->answer.show(gpu_answer(catalogue, options->name));
    });
}

}} // namespace bursar::tools
