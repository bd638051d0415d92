#include "tools/model/job_parts.hpp"

#include <cstddef>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "models/training/job/flops.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/training_job.hpp"

#include "reports/text/human_number.hpp"

#include "tools/command_line/messages.hpp"

namespace bursar { inline namespace tools {
namespace {

std::string named(auto choice, const auto& names) {
    return std::string{names[static_cast<std::size_t>(choice)]};
}

std::string layout_note(const JobQuestion& asked) {
    if (!asked.chosen_of)
        return {};
    return fmt::format("none stated: the fastest of {} that fit", human_count(*asked.chosen_of));
}

std::string gpus_note(const Cluster& cluster) {
    if (cluster.gpus_per_node == cluster.gpus_per_host)
        return cluster.gpu.name;
    return fmt::format("{}, {} of several nodes joined by their own links",
                       cluster.gpu.name,
                       cluster.gpus_per_node);
}

Fact value_of(std::optional<double> error, std::string note) {
    return {"step_error",
            "+-",
            error.value_or(std::numeric_limits<double>::quiet_NaN()),
            "fraction",
            std::move(note)};
}

const std::vector<ReportColumn> columns_of_layout{{"tensor", "tp", ""},
                                                  {"pipeline", "pp", ""},
                                                  {"chunks", "vp", ""},
                                                  {"context", "cp", ""},
                                                  {"expert", "ep", ""},
                                                  {"data", "dp", ""},
                                                  {"micro_batch", "batch", ""},
                                                  {"micro_batches", "passes", ""},
                                                  {"sequence_parallel", "sp", ""},
                                                  {"recompute", "recompute", ""},
                                                  {"sharding", "shard", ""},
                                                  {"precision", "format", ""},
                                                  {"step_s", "step", "s"},
                                                  {"memory_b", "memory", "B"}};

} // namespace

Facts job_section(const JobQuestion& asked) {
    const TrainingJob& job = asked.job;
    const Layout& layout = job.layout;
    Facts section{"job", "Job", {}, false};
    section.values = {
        {"model", "network", job.model.name, "", ""},
        {"parameters", "parameters", parameters(job.model), "", "without norms and biases"},
        {"gpus", "GPUs", layout.gpus(), "", gpus_note(asked.cluster)},
        {"layout", "layout", ranks_text(layout), "", layout_note(asked)},
        {"global_batch",
         "global batch",
         layout.global_batch(),
         "sequences",
         fmt::format("of {} tokens; {} per pass, {} per replica",
                     job.sequence,
                     layout.micro_batch,
                     counted(static_cast<std::uint64_t>(layout.micro_batches), "pass"))},
        {"precision", "precision", std::string{name(job.precision)}, "", ""},
        {"sharding", "sharding", named(layout.sharding, sharding_names), "", asked.why.sharding},
        {"sequence_parallel",
         "sequence parallel",
         layout.sequence_parallel,
         "",
         asked.why.sequence_parallel},
        {"recompute", "recompute", recompute_text(layout.recompute), "", asked.why.recompute},
        {"attention", "attention", named(job.attention, attention_names), "", asked.why.attention},
        {"recipe", "states", named(job.recipe, recipe_names), "", asked.why.recipe},
        {"stack", "stack", asked.profile.name, "", asked.why_stack}};
    if (job.precision == Precision::fp8)
        section.values.insert(section.values.end() - 1,
                              {"fp8_scaling",
                               "fp8 scales",
                               named(job.fp8_scaling, scaling_names),
                               "",
                               asked.why.scaling});
    return section;
}

Fact held_out_error(const StackProfile& profile, const Transformer& model) {
    const std::optional<double> error = step_error(profile, model);
    if (!error)
        return untested_error(profile);
    return value_of(
        error,
        fmt::format("mean absolute error of {} on measurements it did not see", profile.name));
}

Fact untested_error(const StackProfile& profile) {
    return value_of(std::nullopt,
                    fmt::format("not known: {} was held against no measurement of such a network",
                                profile.name));
}

const std::vector<ReportColumn>& layout_columns() {
    return columns_of_layout;
}

std::vector<Cell> layout_cells(const RankedLayout& ranked) {
    const Layout& layout = ranked.layout;
    return {layout.tensor,
            layout.pipeline,
            layout.chunks,
            layout.context,
            layout.expert,
            layout.data,
            layout.micro_batch,
            layout.micro_batches,
            layout.sequence_parallel,
            recompute_text(layout.recompute),
            std::string{sharding_names[static_cast<std::size_t>(layout.sharding)]},
            std::string{name(ranked.precision)},
            ranked.step.count(),
            ranked.memory.count()};
}

Facts search_section(std::int64_t evaluated, std::int64_t by_rule, std::int64_t by_memory) {
    return {"search",
            "Layouts searched",
            {{"evaluated", "timed", evaluated, "", ""},
             {"excluded_by_rule",
              "excluded by rule",
              by_rule,
              "",
              "combinations that cannot be; a branch counts once"},
             {"excluded_by_memory", "excluded by memory", by_memory, "", "larger than the GPU"}}};
}

}} // namespace bursar::tools
