#include "tools/model/options/rank_options.hpp"

#include "models/training/job/complete_layout.hpp"
#include "models/training/job/names.hpp"

namespace bursar { inline namespace tools {
namespace {

// Beyond any machine; products of them stay inside 64 bits.
constexpr std::int64_t max_degree = 10'000;
constexpr std::int64_t max_data = 1'000'000;
constexpr std::int64_t max_batch = 1'000'000'000;

} // namespace

void RankOptions::add_to(Command command) {
    const auto number = [&](const char* flag, auto& value, std::int64_t max, const char* help) {
        command.add_option(flag, value, up_to(max), help).type_name("N");
    };
    number("--tensor", tensor_, max_degree, "tensor-parallel ranks (default: 1)");
    number("--pipeline", pipeline_, max_degree, "pipeline stages (default: 1)");
    number("--chunks",
           chunks_,
           max_degree,
           "model chunks per stage, for the interleaved schedule (default: 1)");
    number("--context", context_, max_degree, "context-parallel ranks (default: 1)");
    number("--expert",
           expert_,
           max_degree,
           "expert-parallel ranks, out of the data ranks (default: 1)");
    number("--data",
           data_,
           max_data,
           "data-parallel ranks (default: GPUs / (tensor x pipeline x context))");
    number("--micro-batch",
           micro_batch_,
           max_data,
           "sequences per replica and pass (default: 1; generic networks: the whole share)");
    number("--global-batch",
           global_batch_,
           max_batch,
           "sequences per step (default: one pass per replica; 8 per stage in a pipeline)");
    command.add_choice<Sharding>(
        "--sharding", sharding_, sharding_names, "states sharded over data ranks (default: none)");
    command.add_choice<Recompute>("--recompute",
                                  recompute_,
                                  recompute_names,
                                  "activations recomputed in the backward pass (default: none)");
    command.add_flag(
        "--sequence-parallel", sequence_parallel_, "sequence parallelism over the tensor ranks");
    command.add_flag(
        "--gpipe", gpipe_, "GPipe schedule (all forward passes first) instead of 1F1B");
    command.add_flag(
        "--offload-optimizer", offload_optimizer_, "keep optimizer states and step on the host");
    command.add_flag(
        "--tensor-across-nodes", tensor_across_nodes_, "allow tensor parallelism across nodes");
}

bool RankOptions::states_layout() const {
    return tensor_ || pipeline_ || chunks_ || context_ || expert_ || data_ || sharding_ ||
           sequence_parallel_;
}

LayoutSpace RankOptions::open_layouts(TrainingJob& job, std::int64_t gpus) const {
    job.layout.gpipe = gpipe_;
    job.layout.offload_optimizer = offload_optimizer_;
    LayoutSpace space = usual_layout_space(job, gpus, global_batch_);
    if (recompute_)
        space.recompute = {*recompute_};
    if (micro_batch_)
        space.smallest_micro_batch = space.largest_micro_batch = *micro_batch_;
    return space;
}

Layout RankOptions::layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const {
    Layout given;
    given.tensor = tensor_.value_or(1);
    given.pipeline = pipeline_.value_or(1);
    given.chunks = chunks_.value_or(1);
    given.context = context_.value_or(1);
    given.expert = expert_.value_or(1);
    given.sharding = sharding_.value_or(Sharding::none);
    given.recompute = recompute_.value_or(Recompute::none);
    given.sequence_parallel = sequence_parallel_;
    given.gpipe = gpipe_;
    given.offload_optimizer = offload_optimizer_;
    given.tensor_across_nodes = tensor_across_nodes_;
    return complete_layout(given,
                           {.gpus = gpus,
                            .gpus_per_node = gpus_per_node,
                            .data = data_,
                            .micro_batch = micro_batch_,
                            .global_batch = global_batch_});
}

}} // namespace bursar::tools
