#include "tools/bursar/model/layout_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/names.hpp"

namespace bursar {
namespace {

// Beyond any machine; products of them stay inside 64 bits.
constexpr std::int64_t most_degree = 10'000;
constexpr std::int64_t most_data = 1'000'000;
constexpr std::int64_t most_batch = 1'000'000'000;

/// Micro-batches per stage that keep the pipeline's bubble below 15 %.
constexpr std::int64_t usual_micro_batches_per_stage = 8;

} // namespace

void LayoutOptions::add_to(Command command) {
    const auto number = [&](const char* flag, auto& value, std::int64_t most, const char* help) {
        command.add_option(flag, value, help)
            .check(above_zero())
            .check(at_most(most))
            .type_name("N");
    };
    number("--tensor", layout_.tensor, most_degree, "tensor parallel ranks (1)");
    number("--pipeline", layout_.pipeline, most_degree, "pipeline stages (1)");
    number("--chunks",
           layout_.chunks,
           most_degree,
           "model chunks per stage: interleaved schedule (1)");
    number("--context", layout_.context, most_degree, "context parallel ranks (1)");
    number("--expert",
           layout_.expert,
           most_degree,
           "expert parallel ranks, out of the data ranks (1)");
    number("--data", data_, most_data, "data parallel ranks (GPUs / (tensor pipeline context))");
    number("--micro-batch",
           micro_batch_,
           most_data,
           "sequences per replica and pass (1; a generic network: all of its share)");
    number("--global-batch",
           global_batch_,
           most_batch,
           "sequences per step (one pass per replica; 8 per stage in a pipeline)");
    command.add_choice<Sharding>(
        "--sharding", layout_.sharding, sharding_names, "states over data ranks (none)");
    command.add_choice<Recompute>("--recompute",
                                  layout_.recompute,
                                  recompute_names,
                                  "what the backward pass computes again (none)");
    command.add_flag(
        "--sequence-parallel", layout_.sequence_parallel, "with tensor parallel (off)");
    command.add_flag("--gpipe", layout_.gpipe, "all forward passes first instead of 1F1B");
    command.add_flag(
        "--offload-optimizer", layout_.offload_optimizer, "optimizer states and step on the host");
    command.add_flag("--tensor-across-nodes",
                     layout_.tensor_across_nodes,
                     "tensor parallel over more than a node's GPUs is meant");
}

std::int64_t LayoutOptions::data_ranks(std::optional<std::int64_t> gpus,
                                       std::int64_t gpus_per_node) const {
    const std::int64_t model_ranks = layout_.tensor * layout_.pipeline * layout_.context;
    if (!gpus)
        return data_.value_or(std::max<std::int64_t>(1, gpus_per_node / model_ranks));
    const std::string ranks = fmt::format(
        "tensor {} x pipeline {} x context {}", layout_.tensor, layout_.pipeline, layout_.context);
    if (*gpus % model_ranks != 0)
        throw ModelError{
            "gpus", fmt::format("{} are no multiple of {} = {}", *gpus, ranks, model_ranks), {}};
    const std::int64_t left = *gpus / model_ranks;
    if (data_ && *data_ != left)
        throw ModelError{"data",
                         fmt::format("{} ranks of {} do not make {} GPUs", *data_, ranks, *gpus),
                         fmt::format("{} would", left)};
    return left;
}

Layout LayoutOptions::layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const {
    Layout layout = layout_;
    layout.data = data_ranks(gpus, gpus_per_node);
    layout.micro_batch = micro_batch_.value_or(1);
    const std::int64_t pass = layout.micro_batch * layout.data;
    if (!global_batch_) {
        layout.micro_batches =
            layout.pipeline > 1 ? usual_micro_batches_per_stage * layout.pipeline : 1;
        return layout;
    }
    if (*global_batch_ % pass != 0)
        throw ModelError{"global_batch",
                         fmt::format("{} is no multiple of micro-batch {} x data {} = {}",
                                     *global_batch_,
                                     layout.micro_batch,
                                     layout.data,
                                     pass),
                         {}};
    layout.micro_batches = *global_batch_ / pass;
    return layout;
}

} // namespace bursar
