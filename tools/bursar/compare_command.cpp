#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/workload.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/scenario/read_scenario.hpp"
#include "scenarios/variants/variants.hpp"

#include "reports/compare/compare_formats.hpp"
#include "reports/files/write_files.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/compare_runs.hpp"
#include "tools/bursar/messages.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/bursar/standard_output.hpp"
#include "tools/bursar/terminal.hpp"

namespace bursar {
namespace {

struct CompareOptions {
    ScenarioOptions input;
    std::vector<std::string> vary;
    std::int64_t seeds{}; ///< 0: as the scenario says
    std::string format{"table"};
    std::string directory;

    void add_to(Command command);
    [[nodiscard]] std::vector<Variant> variants() const;
    void show(const Comparison& comparison) const;
};

constexpr std::int64_t max_seeds = 10'000;

void CompareOptions::add_to(Command command) {
    input.add_to(command);
    command
        .add_option("--vary",
                    vary,
                    "values to compare, the first is the base: --vary policy.queue=fifo,sjf; every "
                    "combination, where repeated")
        .type_name("PATH=V1,V2,...")
        .one_value_each()
        .required();
    command.add_option("--seeds", seeds, "how many seeds each variant runs with")
        .check(whole_number(1, max_seeds))
        .type_name("N");
    add_format_options(command, compare_outputs(), format, directory);
}

std::vector<Variant> CompareOptions::variants() const {
    std::vector<Axis> axes;
    for (const std::string& text : vary)
        axes.push_back(parse_axis(text));
    return all_variants(axes);
}

void CompareOptions::show(const Comparison& comparison) const {
    if (!directory.empty()) {
        std::vector<FileContent> contents;
        for (const CompareOutput& output : compare_outputs())
            contents.push_back({std::string{output.file}, [&](TextSink& sink) {
                                    output.write(comparison, page_width, sink);
                                }});
        write_files(directory, contents);
        say("written to {}\n", directory);
    }
    StandardOutput sink;
    std::ranges::find(compare_outputs(), format, &CompareOutput::name)
        ->write(comparison, terminal_width(page_width), sink);
    sink.flush();
}

/// Every variant's scenario. Throws ScenarioError with the mistakes of all of them, each once.
std::vector<Scenario> read_all(const ScenarioOptions& input,
                               const std::vector<Variant>& variants,
                               const Catalogue& catalogue) {
    std::vector<Scenario> scenarios;
    std::vector<Finding> findings;
    for (const Variant& variant : variants) {
        try {
            scenarios.push_back(input.read(catalogue, variant.sets));
        } catch (const ScenarioError& error) {
            for (const Finding& finding : error.findings())
                if (std::ranges::find(findings, finding.text(), &Finding::text) == findings.end())
                    findings.push_back(finding);
        }
    }
    if (!findings.empty())
        throw ScenarioError{findings};
    return scenarios;
}

} // namespace

void add_compare_command(Command program) {
    Command command = program.add_subcommand(
        "compare", "run variants of a scenario on the same seeds and say which is better");
    const auto options = std::make_shared<CompareOptions>();
    options->add_to(command);
    command.callback([options] {
        const std::vector<Variant> variants = options->variants();
        const Catalogue catalogue = options->input.catalogue();
        const std::vector<Scenario> scenarios = read_all(options->input, variants, catalogue);
        const Scenario& base = scenarios.front();
        options->show(compare_variants(
            variants,
            scenarios,
            catalogue,
            first_seed(base, options->input.seed),
            static_cast<std::uint64_t>(options->seeds > 0 ? options->seeds : base.seeds)));
    });
}

} // namespace bursar
