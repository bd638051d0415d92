#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/choice/policy_slots.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/catalog/precision_gains.hpp"
#include "scenarios/catalog/profiles.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/storage_tiers.hpp"
#include "scenarios/catalog/topologies.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/keys/read_scenario.hpp"
#include "scenarios/variants/variants.hpp"

#include "reports/diff/fail_if.hpp"
#include "reports/goal/goal.hpp"

#include "tests/fuzz/targets.hpp"

namespace bursar::fuzz {
namespace {

/// Calls `read`, which may refuse its input with a ScenarioError that says why.
template <class Read>
void read_or_say_why(const Read& read) {
    try {
        read();
    } catch (const ScenarioError& error) {
        require(!error.findings().empty());
    }
}

const ScenarioReader& scenario_reader() {
    static const Catalogue catalogue = builtin_catalogue();
    static const ScenarioReader reader{KnownNames{.policies = policy_catalog(),
                                                  .presets = {presets().begin(), presets().end()},
                                                  .trace_formats = {"csv", "philly-csv"},
                                                  .synthetic = {"philly", "helios"}},
                                       catalogue};
    return reader;
}

constexpr std::string_view base_scenario = "name: base\n"
                                           "workload:\n"
                                           "  jobs: [{gpus: 2, run: 1 h, count: 3}]\n"
                                           "fleet:\n"
                                           "  - {pool: p, gpu: V100-SXM2-16GB, nodes: 1, "
                                           "gpus_per_node: 8, price: 1 USD/gpu-h}\n"
                                           "policy: {queue: fifo, backfill: easy}\n";

/// How one kind of catalogue is read, and the first key that only it has.
struct CatalogueKind {
    std::string_view key;
    void (*read)(std::string_view text);
};

/// Reads a text and drops what it holds.
template <auto read>
void read_text(std::string_view text) {
    static_cast<void>(read(text, "fuzz.yaml"));
}

constexpr CatalogueKind catalogue_kinds[]{
    {"transformers:", read_text<read_architectures_text>},
    {"providers:", read_text<read_carbon_catalogue_text>},
    {"rates:", read_text<read_failure_rates_text>},
    {"gains:", read_text<read_precision_gains_text>},
    {"profiles:", read_text<read_profiles_text>},
    {"stacks:", read_text<read_stacks_text>},
    {"tiers:", read_text<read_storage_tiers_text>},
    {"topologies:", read_text<read_topologies_text>},
};

} // namespace

void scenario(std::string_view input) {
    read_or_say_why([&] {
        static_cast<void>(scenario_reader().read(scenario_document_of(input, "fuzz.yaml"), {}));
    });
}

void variants(std::string_view input) {
    read_or_say_why([&] {
        std::vector<Axis> axes;
        while (!input.empty())
            axes.push_back(parse_axis(take_line(input)));
        std::size_t num_paths = 0;
        for (const Axis& axis : axes)
            num_paths += 1 + axis.with.size();
        for (const Variant& variant : all_variants(axes))
            require(variant.sets.size() == num_paths);
    });
}

void overrides(std::string_view input) {
    static const ScenarioDocument base = scenario_document_of(base_scenario, "base.yaml");
    read_or_say_why([&] {
        std::vector<Override> sets;
        while (!input.empty())
            sets.push_back(parse_override(take_line(input)));
        static_cast<void>(scenario_reader().read(base, sets));
    });
}

/// What is read is about a metric, and its text is read again as the same.
void conditions(std::string_view input) {
    while (!input.empty()) {
        const std::string_view line = take_line(input);
        ConditionMistake mistake;
        const std::optional<Goal> goal = parse_goal(line, mistake);
        require(goal ? goal->metric != nullptr : !mistake.why.empty());
        if (goal) {
            const std::optional<Goal> again = parse_goal(goal->text, mistake);
            require(again && again->metric == goal->metric && again->limit == goal->limit);
        }
        ConditionMistake other;
        const std::optional<FailIf> fail_if = parse_fail_if(line, other);
        require(fail_if ? fail_if->metric != nullptr : !other.why.empty());
    }
}

void catalogues(std::string_view input) {
    read_or_say_why([&] {
        for (std::string_view rest = input; !rest.empty();) {
            const std::string_view line = take_line(rest);
            for (const CatalogueKind& kind : catalogue_kinds)
                if (line.starts_with(kind.key))
                    return kind.read(input);
        }
        read_text<read_catalogue_text>(input);
    });
}

} // namespace bursar::fuzz
