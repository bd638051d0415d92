#include "tools/model/job_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    return fmt::format("none stated: the first of {} by `model layout`",
                       human_count(*asked.chosen_of));
}

std::string gpus_note(const Cluster& cluster) {
    if (cluster.gpus_per_node == cluster.gpus_per_host)
        return cluster.gpu.name;
    return fmt::format("{}, {} of several nodes joined by their own links",
                       cluster.gpu.name,
                       cluster.gpus_per_node);
}

/// Figures of a step that have a range; a rate falls as the step time grows.
struct RangedFigure {
    std::string_view key;
    bool is_rate;
};

constexpr std::array ranged_figures{RangedFigure{"step_s", false},
                                    RangedFigure{"tokens_per_s", true},
                                    RangedFigure{"tokens_per_s_per_gpu", true},
                                    RangedFigure{"samples_per_s", true},
                                    RangedFigure{"mfu", true},
                                    RangedFigure{"usd_per_step", false},
                                    RangedFigure{"usd_per_million_tokens", false}};

constexpr std::string_view unknown_range = "not known: no such network was measured";

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

const std::vector<ReportColumn> columns_of_range{{"range_low", "80 % from", "fraction", true},
                                                 {"range_high", "to", "fraction", true}};

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
    if (layout.offload_layers > 0)
        section.values.insert(
            section.values.end() - 1,
            {"offload_layers",
             "offloaded layers",
             layout.offload_layers,
             "",
             "of a stage, their activations on the host; no such run is among those that "
             "ranges are learnt from"});
    if (job.precision == Precision::fp8)
        section.values.insert(section.values.end() - 1,
                              {"fp8_scaling",
                               "fp8 scales",
                               named(job.fp8_scaling, scaling_names),
                               "",
                               asked.why.scaling});
    if (job.unfused_loss)
        section.values.push_back({"loss", "loss", "unfused", "", "52 bytes a logit (section 4.1)"});
    const std::vector<std::string> assumed = asked.why_passes.assumptions(job);
    if (!assumed.empty())
        section.values.push_back(
            {"passes_assumed", "passes", fmt::format("{}", fmt::join(assumed, "; ")), "", ""});
    return section;
}

StepError step_error_of(const TrainingJob& job,
                        const Cluster& cluster,
                        const StackProfile& profile,
                        bool is_stack_known) {
    return step_error(asked_step(profile, is_stack_known, job, cluster.gpu.name));
}

void add_range(Facts& section,
               const std::string& key,
               const std::string& label,
               const std::optional<StepError>& error) {
    section.values.push_back({key + "_low",
                              label + " from",
                              error ? error->range.low : not_known,
                              "fraction",
                              error ? error->why : std::string{unknown_range}});
    section.values.push_back(
        {key + "_high", "to", error ? error->range.high : not_known, "fraction", ""});
}

Facts range_section(const Facts& figures, const std::optional<StepError>& error) {
    Facts section{"range", "What holds in 80 % of cases", {}, false};
    for (const RangedFigure& ranged : ranged_figures) {
        const auto found = std::ranges::find(figures.values, ranged.key, &Fact::key);
        if (found == figures.values.end())
            continue;
        const double value = std::get<double>(found->value);
        const ErrorRange range = !error           ? ErrorRange{}
                                 : ranged.is_rate ? error->range.inverse()
                                                  : error->range;
        const bool is_first = section.values.empty();
        const std::string why = error ? error->why : std::string{unknown_range};
        section.values.push_back({found->key + "_low",
                                  found->label + " from",
                                  error ? value * range.low : not_known,
                                  found->unit,
                                  is_first ? why : std::string{}});
        section.values.push_back(
            {found->key + "_high", "to", error ? value * range.high : not_known, found->unit, ""});
    }
    return section;
}

const std::vector<ReportColumn>& range_columns() {
    return columns_of_range;
}

std::vector<Cell> range_cells(const StepError& error) {
    return {error.range.low, error.range.high};
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
