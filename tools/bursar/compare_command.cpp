#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/variants/variants.hpp"

#include "tools/bursar/comparison_output.hpp"
#include "tools/bursar/file_choice.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/bursar/variant_files.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/progress_line.hpp"
#include "tools/simulate/compare_variants.hpp"

namespace bursar { inline namespace tools {
namespace {

struct CompareOptions {
    ScenarioOptions input;
    std::vector<std::string> vary;
    std::vector<std::string> labels;
    std::optional<std::int64_t> seeds; ///< absent: as the scenario says
    ComparisonOutput output;
    FileChoice written; ///< of each variant

    void add_to(Command command);
    [[nodiscard]] std::vector<Variant> variants() const;
    void run() const;
};

constexpr std::int64_t max_seeds = 10'000;

void CompareOptions::add_to(Command command) {
    input.add_to(command);
    command
        .add_option("--vary",
                    vary,
                    "values to compare, the first being the base, e.g. --vary "
                    "policy.queue=fifo,sjf or --vary "
                    "fleet.p.nodes=30..60:5; repeated: every combination")
        .type_name("PATH=V1,V2")
        .one_value_each()
        .required();
    command
        .add_list(
            "--labels",
            labels,
            "names of the variants, in their order: the last --vary changes fastest (default: "
            "their values)")
        .type_name("L1,L2");
    command
        .add_option("--seeds",
                    seeds,
                    up_to(max_seeds),
                    "seeds to run each variant with (default: the scenario's)")
        .type_name("N");
    output.add_to(command);
    command.option("--out").description(
        "write all formats into this directory, and the files of each variant into a folder of its "
        "own there");
    written.add_to(command,
                   "which formats the folder of each variant has, by their names in `run`");
    command.option("--compress")
        .description("compress the CSV files in the folders of the variants: jobs.csv.gz, or "
                     "jobs.csv.zst");
}

std::vector<Variant> CompareOptions::variants() const {
    std::vector<Axis> axes;
    for (const std::string& text : vary)
        axes.push_back(parse_axis(text));
    std::vector<Variant> variants = all_variants(axes);
    if (!labels.empty())
        label_variants(variants, labels);
    return variants;
}

void CompareOptions::run() const {
    const CompareQuestion asked =
        output.question(); // what is wrong with it is told before the work
    const ChosenOutputs chosen = written.chosen();
    const std::vector<Variant> compared = variants();
    std::vector<LoadedScenario> scenarios = load_variants(input.source(), compared);
    InputFiles inputs;
    for (const LoadedScenario& one : scenarios)
        inputs.add_all(one.scenario.inputs);
    output.check_places(inputs);
    std::vector<std::string> names;
    for (const Variant& variant : compared)
        names.push_back(variant.label);
    VariantFiles files{output.directory, names, chosen};
    CompareSettings settings{.seed = input.seed, .seeds = seeds};
    if (!output.directory.empty()) {
        files.check(inputs);
        settings.on_result = [&](std::size_t i, const Result& result) {
            files.write(i, result, inputs);
        };
    }
    Comparison comparison = with_progress("runs", [&](const OnProgress& on_progress) {
        settings.on_progress = on_progress;
        return compare_variants(compared, std::move(scenarios), settings);
    });
    if (!output.directory.empty()) {
        files.put_in_places(inputs);
        for (std::size_t i = 0; i < names.size(); ++i)
            comparison.variants[i].folder = files.names()[i];
    }
    output.show(comparison, asked, inputs);
}

} // namespace

void add_compare_command(Command program) {
    Command command = program.add_subcommand(
        "compare", "run variants of a scenario on the same seeds and compare them");
    const auto options = std::make_shared<CompareOptions>();
    options->add_to(command);
    command.callback([options] { options->run(); });
}

}} // namespace bursar::tools
