#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/variants/variants.hpp"

#include "reports/compare/compare_formats.hpp"
#include "reports/files/write_files.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/messages.hpp"
#include "tools/bursar/metric_options.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/bursar/progress_line.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/bursar/standard_output.hpp"
#include "tools/bursar/terminal.hpp"
#include "tools/bursar/variant_files.hpp"
#include "tools/simulate/compare_variants.hpp"

namespace bursar::inline tools {
namespace {

struct CompareOptions {
    ScenarioOptions input;
    std::vector<std::string> vary;
    std::vector<std::string> labels;
    std::optional<std::int64_t> seeds; ///< absent: as the scenario says
    std::vector<std::string> metrics;
    std::string goal;
    bool brief{};
    std::string format{"table"};
    std::string directory;

    void add_to(Command command);
    [[nodiscard]] std::vector<Variant> variants() const;
    [[nodiscard]] CompareQuestion question() const;
    void check_places(const InputFiles& inputs) const;
    void run() const;
    void show(const Comparison& comparison, const InputFiles& inputs) const;
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
    command
        .add_list("--metrics",
                  metrics,
                  "what is compared, e.g. cost.total,wait.p90 (default: the main ones; all of them "
                  "in CSV and JSON)")
        .type_name("M1,M2");
    command.add_flag("--brief",
                     brief,
                     "table and Markdown: a line per variant, with the differences to the base");
    command
        .add_option("--goal",
                    goal,
                    "what a variant has to meet, e.g. \"wait.p99 < 1 h\": the cheapest that does, "
                    "and the last before it, which does not")
        .type_name("GOAL");
    add_format_options(command, compare_outputs(), format, directory);
    command.option("--out").description(
        "write all formats into this directory, and the files of each variant into a folder of its "
        "own there");
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

CompareQuestion CompareOptions::question() const {
    return {metrics_of(metrics), brief ? CompareDetail::brief : CompareDetail::full, goal_of(goal)};
}

void CompareOptions::check_places(const InputFiles& inputs) const {
    if (directory.empty())
        return;
    for (const CompareOutput& output : compare_outputs())
        check_place(directory, output.file, inputs);
}

void CompareOptions::show(const Comparison& comparison, const InputFiles& inputs) const {
    const CompareQuestion asked = question();
    if (!directory.empty()) {
        std::vector<FileContent> contents;
        for (const CompareOutput& output : compare_outputs())
            contents.push_back({std::string{output.file}, [&](TextSink& sink) {
                                    output.write(comparison, asked, page_width, sink);
                                }});
        write_files(directory, contents, inputs);
        say("written to {}\n", terminal_text(directory));
    }
    StandardOutput sink{readers_of(format)};
    std::ranges::find(compare_outputs(), format, &CompareOutput::name)
        ->write(comparison, asked, terminal_width(page_width), sink);
    sink.flush();
}

void CompareOptions::run() const {
    static_cast<void>(question()); // what is wrong with it is told before the work
    const std::vector<Variant> compared = variants();
    std::vector<LoadedScenario> scenarios = load_variants(input.source(), compared);
    InputFiles inputs;
    for (const LoadedScenario& one : scenarios)
        inputs.add_all(one.scenario.inputs);
    check_places(inputs);
    std::vector<std::string> names;
    for (const Variant& variant : compared)
        names.push_back(variant.label);
    VariantFiles files{directory, names};
    CompareSettings settings{.seed = input.seed, .seeds = seeds};
    if (!directory.empty()) {
        files.check(inputs);
        settings.on_result = [&](std::size_t i, const Result& result) {
            files.write(i, result, inputs);
        };
    }
    Comparison comparison = with_progress("runs", [&](const OnProgress& on_progress) {
        settings.on_progress = on_progress;
        return compare_variants(compared, std::move(scenarios), settings);
    });
    if (!directory.empty()) {
        files.put_in_places(inputs);
        for (std::size_t i = 0; i < names.size(); ++i)
            comparison.variants[i].folder = files.names()[i];
    }
    show(comparison, inputs);
}

} // namespace

void add_compare_command(Command program) {
    Command command = program.add_subcommand(
        "compare", "run variants of a scenario on the same seeds and compare them");
    const auto options = std::make_shared<CompareOptions>();
    options->add_to(command);
    command.callback([options] { options->run(); });
}

} // namespace bursar::inline tools
