#include "tools/model/job_options.hpp"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/precision_plan.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/search/layout_search.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace tools {
namespace {

// Beyond any machine; products of them stay inside 64 bits.
constexpr std::int64_t max_degree = 10'000;
constexpr std::int64_t max_data = 1'000'000;
constexpr std::int64_t max_batch = 1'000'000'000;

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
          "sequences per replica and pass (default: 1; generic networks: the whole share)"},
         {{"--global-batch", &T::global_batch, whole_in(up_to(max_batch))},
          "sequences per step (default: one pass per replica; 8 per stage in a pipeline)"},
         {{"--sharding", &T::sharding, choice(sharding_names)},
          "states sharded over data ranks (default: none)"},
         {{"--recompute", &T::recompute, choice(recompute_names)},
          "activations recomputed in the backward pass (default: none)"},
         {"--sequence-parallel",
          &T::sequence_parallel,
          "sequence parallelism over the tensor ranks"},
         {"--gpipe", &T::gpipe, "GPipe schedule (all forward passes first) instead of 1F1B"},
         {"--offload-optimizer",
          &T::offload_optimizer,
          "keep optimizer states and step on the host"},
         {"--tensor-across-nodes",
          &T::tensor_across_nodes,
          "allow tensor parallelism across nodes"}});
}

} // namespace

OptionTable<StackOptions> stack_options() {
    using T = StackOptions;
    return option_table<T>(
        {{{"--precision", &T::precision, choice(precision_names)},
          "number format of the matrix products (default: bf16, else fp16)"},
         {{"--attention", &T::attention, choice(attention_names)}, "attention kernel"},
         {{"--recipe", &T::recipe, choice(recipe_names)}, "weights and optimizer states"},
         {{"--compile", &T::compilation, choice(compilation_names)}, "how kernels are launched"},
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
           sequence_parallel;
}

LayoutSpace LayoutOptions::open_layouts(TrainingJob& job, std::int64_t gpus) const {
    job.layout.gpipe = gpipe;
    job.layout.offload_optimizer = offload_optimizer;
    LayoutSpace space = usual_layout_space(job, gpus, global_batch);
    if (recompute)
        space.recompute = {*recompute};
    if (micro_batch)
        space.smallest_micro_batch = space.largest_micro_batch = *micro_batch;
    return space;
}

Layout LayoutOptions::layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const {
    Layout given;
    given.tensor = tensor.value_or(1);
    given.pipeline = pipeline.value_or(1);
    given.chunks = chunks.value_or(1);
    given.context = context.value_or(1);
    given.expert = expert.value_or(1);
    given.sharding = sharding.value_or(Sharding::none);
    given.recompute = recompute.value_or(Recompute::none);
    given.sequence_parallel = sequence_parallel;
    given.gpipe = gpipe;
    given.offload_optimizer = offload_optimizer;
    given.tensor_across_nodes = tensor_across_nodes;
    return complete_layout(given,
                           {.gpus = gpus,
                            .gpus_per_node = gpus_per_node,
                            .data = data,
                            .micro_batch = micro_batch,
                            .global_batch = global_batch});
}

Stacks stacks_of(const std::string& file) {
    return file.empty() ? builtin_stacks() : read_stacks(file);
}

ChosenStack StackOptions::chosen(const StackClues& clues) const {
    const Stacks stacks = stacks_of(file);
    if (stack.empty()) {
        const StackChoice nearest = choose_stack(stacks, clues);
        return {*nearest.profile, "no --stack, and " + nearest.why};
    }
    const StackProfile* found = stacks.find(stack);
    if (found == nullptr)
        fail_input("--stack", none_named("no profile is", stack, stacks.names()));
    return {*found, {}};
}

ChosenStack
StackOptions::chosen_for_search(const TrainingJob& job, const Gpu& gpu, Precision format) const {
    return chosen({.is_searched = true,
                   .attention = job.attention,
                   .precision = format,
                   .has_fp8 = supports(gpu, Precision::fp8)});
}

void StackOptions::apply_to(TrainingJob& job, const Gpu& gpu) const {
    job.precision = precision.value_or(usual_precision(gpu));
    static_cast<void>(plan_precision(gpu, job.precision)); // throws
    job.attention = attention;
    job.recipe = recipe;
    job.compilation = compilation;
}

JobQuestion JobOptions::question_without_layout() const {
    JobQuestion asked;
    Architecture architecture = network.architecture();
    if (auto* generic = std::get_if<GenericNetwork>(&architecture))
        asked.generic = std::move(*generic);
    else
        asked.job.model = std::get<Transformer>(std::move(architecture));
    asked.job.sequence = asked.job.model.sequence;
    asked.cluster = machines.cluster();
    stack.apply_to(asked.job, asked.cluster.gpu);
    asked.network_source = network.source();
    return asked;
}

JobQuestion JobOptions::question() const {
    JobQuestion asked = question_without_layout();
    Layout& layout = asked.job.layout;
    layout = ranks.layout(machines.gpus, machines.nodes.gpus_per_node);
    if (asked.generic && !ranks.micro_batch) { // one pass for the whole share
        layout.micro_batch *= layout.micro_batches;
        layout.micro_batches = 1;
    }
    StackClues clues = clues_of(asked.job, asked.cluster.gpu);
    clues.is_transformer = !asked.generic;
    ChosenStack chosen = stack.chosen(clues);
    asked.profile = std::move(chosen.profile);
    asked.why_stack = std::move(chosen.why);
    return asked;
}

JobQuestion JobOptions::fitting_question() const {
    JobQuestion asked = question_without_layout();
    if (asked.generic || ranks.states_layout())
        return question();
    ChosenStack chosen = stack.chosen_for_search(asked.job, asked.cluster.gpu, asked.job.precision);
    asked.profile = std::move(chosen.profile);
    asked.why_stack = std::move(chosen.why);
    const LayoutSpace space = ranks.open_layouts(asked.job, machines.gpus_or_node());
    const LayoutSearch found =
        fitting_layouts(asked.job,
                        asked.cluster,
                        asked.profile,
                        space,
                        1,
                        memory_overheads_of(asked.profile, asked.job.compilation));
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
