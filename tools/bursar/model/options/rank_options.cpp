#include "tools/bursar/model/options/rank_options.hpp"

#include "models/training/complete_layout.hpp"
#include "models/training/names.hpp"

namespace bursar::inline tools {
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
    number("--tensor", layout_.tensor, max_degree, "tensor-parallel ranks (default: 1)");
    number("--pipeline", layout_.pipeline, max_degree, "pipeline stages (default: 1)");
    number("--chunks",
           layout_.chunks,
           max_degree,
           "model chunks per stage, for the interleaved schedule (default: 1)");
    number("--context", layout_.context, max_degree, "context-parallel ranks (default: 1)");
    number("--expert",
           layout_.expert,
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
    command.add_choice<Sharding>("--sharding",
                                 layout_.sharding,
                                 sharding_names,
                                 "states sharded over data ranks (default: none)");
    command.add_choice<Recompute>("--recompute",
                                  layout_.recompute,
                                  recompute_names,
                                  "activations recomputed in the backward pass (default: none)");
    command.add_flag("--sequence-parallel",
                     layout_.sequence_parallel,
                     "sequence parallelism over the tensor ranks");
    command.add_flag(
        "--gpipe", layout_.gpipe, "GPipe schedule (all forward passes first) instead of 1F1B");
    command.add_flag("--offload-optimizer",
                     layout_.offload_optimizer,
                     "keep optimizer states and step on the host");
    command.add_flag("--tensor-across-nodes",
                     layout_.tensor_across_nodes,
                     "allow tensor parallelism across nodes");
}

Layout RankOptions::layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const {
    return complete_layout(layout_,
                           {.gpus = gpus,
                            .gpus_per_node = gpus_per_node,
                            .data = data_,
                            .micro_batch = micro_batch_,
                            .global_batch = global_batch_});
}

} // namespace bursar::inline tools
