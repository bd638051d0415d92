#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/catalog/topologies.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/topology/fabric_file.hpp"
#include "scenarios/topology/pool_fabric.hpp"

#include "reports/files/write_files.hpp"
#include "reports/topology/topology_svg.hpp"
#include "reports/topology/topology_text.hpp"

#include "tools/bursar/catalog.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/command_line/answer_options.hpp"
#include "tools/command_line/standard_output.hpp"

namespace bursar { inline namespace tools {
namespace {

struct TopologyOptions {
    ScenarioOptions input;
    std::string svg; ///< empty: none
    std::string pool;
    AnswerOptions answer;
};

/// A topology to draw, and its source.
struct Subject {
    FabricDrawing drawing;
    std::string source;
};

FabricDrawing drawing_of(std::string title, std::string gpu, const PoolFabric& pool) {
    FabricDrawing drawing;
    drawing.title = std::move(title);
    drawing.gpu = std::move(gpu);
    drawing.outline = outline_of(pool.fabric);
    drawing.locality = pool.locality;
    drawing.rates = level_rates(pool.fabric, pool.locality);
    drawing.num_devices = pool.fabric.devices.size();
    drawing.num_links = pool.fabric.links.size();
    return drawing;
}

Subject named_subject(const NamedTopology& named, const Catalogue& catalogue) {
    const Gpu* gpu = catalogue.find(named.gpu);
    if (gpu == nullptr)
        fail_input(named.name, mistake("no GPU is named " + in_quotes(named.gpu)));
    PoolFabric pool;
    pool.fabric = short_form_fabric(named.spec,
                                    {named.name, named.nodes, named.gpus_per_node, std::nullopt},
                                    *gpu,
                                    {{named.name, 0, 0}, {}});
    pool.locality = locality_of(pool.fabric);
    return {drawing_of(fmt::format("{}: {}", named.name, named.summary), gpu->name, pool),
            fmt::format("{} ({})", named.source, named.date)};
}

/// The pools of a scenario that have a topology, or the pool of --pool.
std::vector<Subject> pool_subjects(const TopologyOptions& options, InputFiles& inputs) {
    const LoadedScenario loaded = load_scenario(options.input.source());
    inputs.add_all(loaded.scenario.inputs);
    const Scenario& scenario = loaded.scenario;
    std::vector<std::string> names;
    std::vector<Subject> subjects;
    for (const PoolSpec& pool : scenario.fleet) {
        names.push_back(pool.name);
        if (options.pool.empty() ? !pool.topology : pool.name != options.pool)
            continue;
        const PoolFabric fabric = pool_fabric(pool, *loaded.catalogue->find(pool.gpu));
        subjects.push_back(
            {drawing_of(fmt::format("{}: pool {}", scenario.name, pool.name), pool.gpu, fabric),
             {}});
    }
    if (!subjects.empty())
        return subjects;
    fail_input(scenario.file,
               options.pool.empty() ? mistake("no pool has a topology",
                                              "their networks are not specified",
                                              "--pool NAME draws the assumed one")
                                    : none_named("no pool is", options.pool, names));
}

/// Refuses the options that need a scenario.
void refuse_scenario_options(const TopologyOptions& options, const std::string& why) {
    if (!options.pool.empty())
        fail_input("--pool", mistake("chooses a pool of a scenario", why));
    if (!options.input.sets.empty())
        fail_input("--set", mistake("changes a scenario", why));
}

/// Adds the files that are read to `inputs`.
std::vector<Subject> subjects_of(const TopologyOptions& options, InputFiles& inputs) {
    const std::string& what = options.input.file;
    if (const NamedTopology* named = builtin_topologies().find(what)) {
        refuse_scenario_options(options, what + " is a name of the catalogue");
        const std::string& file = options.input.catalogue_file;
        if (!file.empty())
            inputs.add_all(document_facts(file).files);
        return {named_subject(*named, file.empty() ? builtin_catalogue() : read_catalogue(file))};
    }
    if (!std::filesystem::exists(what))
        fail_input(what,
                   mistake("is neither a topology of the catalogue nor a file",
                           {},
                           suggestion(what, builtin_topologies().names())));
    if (!is_fabric_file(what))
        return pool_subjects(options, inputs);
    refuse_scenario_options(options, what + " is a fabric file");
    const PoolFabric fabric = read_fabric(what);
    return {{drawing_of(fabric.fabric.name, {}, fabric), {}}};
}

Document list_answer() {
    ReportTable table{"topologies",
                      "Topologies; `bursar catalog topology NAME` draws one",
                      {{"name", "name", ""},
                       {"nodes", "nodes drawn", ""},
                       {"gpus_per_node", "GPUs each", ""},
                       {"gpu", "GPU", ""},
                       {"summary", "description", ""}},
                      {}};
    Document answer;
    answer.command = "catalog topology";
    for (const NamedTopology& one : builtin_topologies().all) {
        table.rows.push_back({one.name, one.nodes, one.gpus_per_node, one.gpu, one.summary});
        answer.sources.push_back(fmt::format("{}: {} ({})", one.name, one.source, one.date));
    }
    answer.add(std::move(table));
    return answer;
}

void show_list(const TopologyOptions& options) {
    const char* why = "without WHAT the known topologies are listed";
    refuse_scenario_options(options, why);
    if (!options.svg.empty())
        fail_input("--svg", mistake("draws one topology", why, "give its name, or a file"));
    options.answer.show(list_answer());
}

void show(const Subject& subject, const TopologyOptions& options) {
    Document answer;
    answer.command = "catalog topology";
    ReportTable levels = level_table(subject.drawing);
    levels.title = subject.drawing.title;
    answer.add(std::move(levels));
    if (!subject.source.empty())
        answer.sources.push_back(subject.source);
    if (options.answer.format == AnswerFormat::table) {
        StringSink tree;
        put_fabric_tree(subject.drawing, tree);
        put_text("{}\n", tree.text());
    }
    options.answer.show(answer);
}

void draw(const TopologyOptions& options) {
    InputFiles inputs;
    inputs.add(options.input.file);
    const std::vector<Subject> subjects = subjects_of(options, inputs);
    const bool is_one_format = options.answer.format != AnswerFormat::table;
    if (subjects.size() > 1 && (!options.svg.empty() || is_one_format))
        fail_input(options.input.file,
                   mistake(fmt::format("has {} pools to draw", subjects.size()),
                           options.svg.empty() ? "this format holds one" : "an SVG file holds one",
                           "--pool NAME"));
    if (!options.svg.empty())
        write_file(options.svg, inputs, [&](TextSink& sink) {
            put_topology_svg(subjects.front().drawing, sink);
        });
    for (const Subject& subject : subjects)
        show(subject, options);
}

} // namespace

void add_catalog_topology(Command catalog) {
    using T = TopologyOptions;
    add_command(
        catalog,
        "topology",
        "how nodes are joined: known fabrics, files, pools",
        option_table<T>(
            {{&T::input,
              scenario_options("topology of the catalogue, fabric file or scenario (default: list "
                               "the catalogue)",
                               "WHAT")},
             {{"--pool", &T::pool, word("NAME")}, "draw only this pool of a scenario"},
             {{"--svg", &T::svg, file_name()}, "also write the drawing to this file"},
             {&T::answer, answer_options()}}),
        [](const T& options) { options.input.file.empty() ? show_list(options) : draw(options); });
}

}} // namespace bursar::tools
