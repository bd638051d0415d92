#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/training/job/transformer.hpp"

namespace bursar { inline namespace scenarios {

/// What the notes of a row say about the network that ran; absent: nothing. All sizes are above
/// zero. Tables have no columns for it, and a cut network is in no catalogue.
struct NotedShape {
    std::optional<std::int64_t> experts;      ///< "256 routed experts", "128 experts"
    std::optional<std::int64_t> expert_ffn;   ///< "256 routed experts of 2048"
    std::optional<std::int64_t> per_token;    ///< "8 a token"
    std::optional<std::int64_t> shared;       ///< "1 shared": experts that every token uses
    std::optional<std::int64_t> dense_layers; ///< "first 3 layers dense"
    std::optional<std::int64_t> dense_ffn;    ///< "dense with ffn 18432"
    std::optional<std::int64_t> head_dim;     ///< "head_dim 64", or the sum of "128+64 per head"
    std::optional<LatentAttention> latent;    ///< "q rank 1536, kv rank 512, 128+64 per head": the
                                              ///< second number is the part that all heads share
};

/// Reads `notes`, in any case; what is spelled in other words is absent.
NotedShape noted_shape(std::string_view notes);

/// Layers of a stage whose activations were on the host: "cpu_offloading_num_layers=20", "20 layers
/// offloaded", "20 of 80 layers offloaded".
std::optional<std::int64_t> noted_offload(std::string_view notes);

/// Ranks that share the optimizer's states where they are fewer than all: "zero1=8", "over 8 GPUs
/// of a node". Absent for "zero1=-1", all ranks.
std::optional<std::int64_t> noted_shard(std::string_view notes);

}} // namespace bursar::scenarios
