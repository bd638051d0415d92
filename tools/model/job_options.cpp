#include "tools/model/job_options.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/precision_plan.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/search/layout_search.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace tools {
namespace {

// Beyond any machine; products of them stay inside 64 bits.
constexpr std::int64_t max_degree = 10'000;
constexpr std::int64_t max_data = 1'000'000;
constexpr std::int64_t max_batch = 1'000'000'000;

/// A name of `recompute_names`, or "every N".
struct RecomputeOptionRule {
    void add(Command command,
             const std::string& name,
             std::optional<Recomputation>& value,
             const std::string& help) const {
        std::vector<std::string> names{recompute_names.begin(), recompute_names.end()};
        const auto take = [&value, names](const std::string& text) {
            const std::string* meant = meant_name(text, names);
            value = recompute_named(meant != nullptr ? *meant : text);
            return value ? std::string{}
                         : fmt::format("unknown name {}; {}, or \"every 2\"",
                                       in_quotes(text),
                                       suggestion(text, names));
        };
        const std::string shown = fmt::format("{}|every N", fmt::join(names, "|"));
        names.emplace_back("every 2");
        command.add_parsed(name, take, help).type_name(shown).completes([names] { return names; });
    }
};

std::optional<bool> stated_flag(bool yes, bool no) {
    return yes || no ? std::optional{yes} : std::nullopt;
}

} // namespace

OptionTable<LayoutOptions> layout_options() {
    using T = LayoutOptions;
    const auto degree = whole_in(up_to(max_degree));
    return option_table<T>(
               {{{"--tensor", &T::tensor, degree}, "tensor-parallel ranks (default: 1)"},
                {{"--pipeline", &T::pipeline, degree}, "pipeline stages (default: 1)"},
                {{"--chunks", &T::chunks, degree},
                 "model chunks per stage, for the interleaved schedule (default: 1)"},
                {{"--context", &T::context, degree}, "context-parallel ranks (default: 1)"},
                {{"--expert", &T::expert, degree},
                 "expert-parallel ranks, out of the data ranks (default: 1)"},
                {{"--data", &T::data, whole_in(up_to(max_data))},
                 "data-parallel ranks (default: GPUs / (tensor x pipeline x context))"},
                {{"--micro-batch", &T::micro_batch, whole_in(up_to(max_data))},
                 "sequences per replica and pass (default: up to 16 that fit; generic networks: "
                 "the whole share)"},
                {{"--global-batch", &T::global_batch, whole_in(up_to(max_batch))},
                 "sequences per step (default: one pass per replica; 8 per stage in a pipeline)"},
                {{"--sharding", &T::sharding, choice(sharding_names)},
                 "states sharded over data ranks (default: usual for the software stack)"},
                {{"--shard-ranks", &T::shard_ranks, whole_in(up_to(max_data))},
                 "ranks that the states are divided over (HSDP); it divides context x data "
                 "(default: all)"},
                {{"--recompute", &T::recompute, RecomputeOptionRule{}},
                 "activations recomputed in the backward pass, in all layers or every N-th "
                 "(default: none, unless that takes a third more than the memory; JAX stacks: "
                 "full)"},
                {"--sequence-parallel",
                 &T::sequence_parallel,
                 "sequence parallelism over the tensor ranks (default: with fused attention)"},
                {"--no-sequence-parallel", &T::no_sequence_parallel, "none of it"},
                {"--gpipe", &T::gpipe, "GPipe schedule (all forward passes first) instead of 1F1B"},
                {"--offload-optimizer",
                 &T::offload_optimizer,
                 "keep optimizer states and step on the host"},
                {{"--offload-layers", &T::offload_layers, whole_in(up_to(max_layers))},
                 "layers of a stage whose activations wait in the host's memory for their backward "
                 "pass (default: none; where recompute is not stated either, in NeMo and "
                 "Megatron-Bridge with zero3 over links faster than PCIe, as many as memory asks)"},
                {"--tensor-across-nodes",
                 &T::tensor_across_nodes,
                 "allow tensor parallelism across nodes"}})
        .needs("--shard-ranks", "--sharding")
        .excludes("--no-sequence-parallel", {"--sequence-parallel"});
}

OptionTable<StackOptions> stack_options() {
    using T = StackOptions;
    return option_table<T>(
        {{{"--precision", &T::precision, choice(precision_names)},
          "number format of the matrix products (default: bf16, else fp16)"},
         {{"--fp8-scaling", &T::scaling, choice(scaling_names)},
          "source of the scales of fp8 products (default: usual for the software stack)"},
         {{"--attention", &T::attention, choice(attention_names)},
          "attention kernel (default: usual for the software stack and the GPU)"},
         {{"--recipe", &T::recipe, choice(recipe_names)},
          "weights and optimizer states (default: usual for the software stack)"},
         {{"--compile", &T::compilation, choice(compilation_names)},
          "how kernels are launched (default: eager)"},
         {{"--framework", &T::framework, word("NAME")},
          "framework of the job, by its usual name and version, e.g. \"NeMo 25.04\""},
         {{"--stack", &T::stack, name_among([] { return builtin_stacks().names(); })},
          "software-stack profile of `bursar catalog stacks` (default: the nearest to the job)"},
         {{"--stacks", &T::file, file_name()}, "profiles in place of the built-in ones"}});
}

OptionTable<JobOptions> job_options() {
    using T = JobOptions;
    return option_table<T>({{&T::network, network_options()},
                            {&T::machines, machine_options()},
                            {&T::ranks, layout_options()},
                            {&T::stack, stack_options()}});
}

bool LayoutOptions::states_layout() const {
    return tensor || pipeline || chunks || context || expert || data || sharding ||
           sequence_parallel || no_sequence_parallel;
}

LayoutSpace LayoutOptions::open_layouts(TrainingJob& job, std::int64_t gpus) const {
    job.layout.gpipe = gpipe;
    job.layout.offload_optimizer = offload_optimizer;
    job.layout.offload_layers = offload_layers.value_or(0);
    job.layout.tensor_across_nodes = tensor_across_nodes;
    job.layout.shard = shard_ranks.value_or(0);
    LayoutSpace space = usual_layout_space(job, gpus, global_batch);
    if (recompute)
        space.recompute = {*recompute};
    if (micro_batch)
        space.smallest_micro_batch = space.largest_micro_batch = *micro_batch;
    if (sharding)
        space.sharding = {*sharding};
    space.stated = {.tensor = tensor,
                    .pipeline = pipeline,
                    .chunks = chunks,
                    .context = context,
                    .expert = expert,
                    .data = data,
                    .sequence_parallel = stated_flag(sequence_parallel, no_sequence_parallel)};
    return space;
}

Layout LayoutOptions::layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const {
    Layout given;
    given.tensor = tensor.value_or(1);
    given.pipeline = pipeline.value_or(1);
    given.chunks = chunks.value_or(1);
    given.context = context.value_or(1);
    given.expert = expert.value_or(1);
    given.gpipe = gpipe;
    given.offload_optimizer = offload_optimizer;
    given.offload_layers = offload_layers.value_or(0);
    given.tensor_across_nodes = tensor_across_nodes;
    given.shard = shard_ranks.value_or(0);
    return complete_layout(given,
                           {.gpus = gpus,
                            .gpus_per_node = gpus_per_node,
                            .data = data,
                            .micro_batch = micro_batch,
                            .global_batch = global_batch});
}

StatedPasses LayoutOptions::passes(const Layout& layout) const {
    StatedPasses stated;
    if (global_batch)
        stated.batch = *global_batch / layout.data;
    stated.micro_batch = micro_batch;
    stated.recompute = recompute;
    return stated;
}

Stacks stacks_of(const std::string& file) {
    return file.empty() ? builtin_stacks() : read_stacks(file);
}

void StackOptions::check_scaling(const std::vector<Precision>& formats) const {
    if (scaling && std::ranges::find(formats, Precision::fp8) == formats.end())
        throw ModelError{
            "--fp8-scaling",
            fmt::format("has no effect on {} (it is of fp8 products)", name(formats.front())),
            "--precision fp8 has them"};
}

ChosenStack StackOptions::settle(TrainingJob& job, const Gpu& gpu, StatedTraining stated) const {
    const Stacks stacks = stacks_of(file);
    job.precision = precision.value_or(usual_precision(gpu));
    static_cast<void>(plan_precision(gpu, job.precision)); // throws
    stated.framework = framework;
    stated.sequence = job.sequence;
    stated.precision = job.precision;
    stated.scaling = scaling;
    stated.attention = attention;
    stated.recipe = recipe;
    stated.compilation = compilation;
    if (!stack.empty()) {
        stated.profile = stacks.find(stack);
        if (stated.profile == nullptr)
            fail_input("--stack", none_named("no profile is", stack, stacks.names()));
    }
    TrainingSettings settings = training_settings(stated, gpu, stacks);
    settings.apply_to(job);
    ChosenStack chosen{{}, *settings.profile, settings.why.stack};
    if (!chosen.why.empty())
        chosen.why = "no --stack, and " + chosen.why;
    settings.profile = nullptr;
    chosen.settings = std::move(settings);
    return chosen;
}

ChosenStack StackOptions::settle_for_search(TrainingJob& job,
                                            const Gpu& gpu,
                                            std::optional<Precision> format,
                                            const LayoutOptions* ranks) const {
    StackOptions of_format = *this;
    if (format)
        of_format.precision = format;
    StatedTraining stated;
    stated.is_searched = ranks == nullptr || !ranks->states_layout();
    if (ranks != nullptr)
        stated.recompute = ranks->recompute;
    if (!stated.is_searched) {
        stated.tensor = ranks->tensor.value_or(1);
        stated.pipeline = ranks->pipeline.value_or(1);
        stated.context = ranks->context.value_or(1);
        stated.sharding = ranks->sharding;
    }
    return of_format.settle(job, gpu, stated);
}

JobQuestion JobOptions::network_question() const {
    JobQuestion asked;
    Architecture architecture = network.architecture();
    if (auto* generic = std::get_if<GenericNetwork>(&architecture))
        asked.generic = std::move(*generic);
    else
        asked.job.model = std::get<Transformer>(std::move(architecture));
    asked.job.sequence = asked.job.model.sequence;
    asked.network_source = network.source();
    return asked;
}

JobQuestion JobOptions::with_stack(JobQuestion asked, ChosenStack chosen) {
    asked.profile = std::move(chosen.profile);
    asked.overheads = std::move(chosen.settings.overheads);
    asked.why_stack = std::move(chosen.why);
    asked.why = std::move(chosen.settings.why);
    return asked;
}

JobQuestion JobOptions::question() const {
    JobQuestion asked = network_question();
    const Gpu gpu = machines.gpu();
    Layout layout = ranks.layout(machines.gpus, machines.nodes.node_gpus(gpu));
    if (asked.generic && !ranks.micro_batch) { // one pass for the whole share
        layout.micro_batch *= layout.micro_batches;
        layout.micro_batches = 1;
    }
    asked.cluster = machines.nodes.cluster_of(
        machines.gpu_name, "--gpu", machines.gpus ? *machines.gpus : layout.gpus());
    asked.job.layout = layout;
    StatedTraining stated;
    stated.is_transformer = !asked.generic;
    stated.tensor = layout.tensor;
    stated.pipeline = layout.pipeline;
    stated.context = layout.context;
    stated.replicas = layout.replicas();
    stated.sharding = ranks.sharding;
    stated.sequence_parallel = stated_flag(ranks.sequence_parallel, ranks.no_sequence_parallel);
    stated.recompute = ranks.recompute;
    ChosenStack chosen = stack.settle(asked.job, gpu, stated);
    stack.check_scaling({asked.job.precision});
    StatedPasses passes = ranks.passes(layout);
    passes.recompute = chosen.settings.recompute;
    asked = with_stack(std::move(asked), std::move(chosen));
    if (!asked.generic)
        asked.why_passes = settle_passes(asked.job, passes, asked.cluster, asked.overheads);
    return asked;
}

JobQuestion JobOptions::fitting_question() const {
    if (ranks.states_layout())
        return question();
    JobQuestion asked = network_question();
    if (asked.generic)
        return question();
    asked.cluster = machines.cluster();
    ChosenStack chosen =
        stack.settle_for_search(asked.job, asked.cluster.gpu, std::nullopt, &ranks);
    stack.check_scaling({asked.job.precision});
    asked = with_stack(std::move(asked), std::move(chosen));
    const LayoutSpace space = ranks.open_layouts(asked.job, machines.gpus_or_node());
    const LayoutSearch found =
        fitting_layouts(asked.job, asked.cluster, asked.profile, space, 1, asked.overheads);
    asked.job.layout = found.best.front().layout;
    asked.chosen_of = found.evaluated;
    return asked;
}

TextListRule precision_list() {
    return {"NAME,...", [] {
                return std::vector<std::string>{precision_names.begin(), precision_names.end()};
            }};
}

std::vector<Precision> precisions_of(const std::vector<std::string>& texts) {
    std::vector<Precision> found;
    for (const std::string& text : texts) {
        const auto precision = find_precision(text);
        if (!precision)
            throw ModelError{"--precisions",
                             fmt::format("unknown format \"{}\"", text),
                             fmt::format("choose of {}", fmt::join(precision_names, ", "))};
        found.push_back(*precision);
    }
    return found;
}

}} // namespace bursar::tools
