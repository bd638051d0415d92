#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace models {

/// The model states divided over the data-parallel ranks (Rajbhandari 2020; FSDP is stage 3).
enum class Sharding : std::uint8_t { none, zero1, zero2, zero3 };

/// What the backward pass recomputes instead of keeping: the attention core (selective, Korthikanti
/// 2022), the whole layer, or its cheap operators: torchtitan's `selective-op` keeps the attention
/// core and every second product and computes the rest again; of a mixture of experts it stands for
/// the cheap modules of Megatron-Core: norms, heads made of latent vectors, experts' activation.
enum class Recompute : std::uint8_t { none, selective, full, operators };

inline constexpr std::array<std::string_view, 4> recompute_names{
    "none", "selective", "full", "operators"};

/// What is recomputed, and in which layers: in every n-th of a stage, whose other layers keep all.
struct Recomputation {
    Recompute what{Recompute::none};
    std::int64_t every{1}; ///< 1: all layers; more only with `full`; >= 1

    constexpr Recomputation() = default;
    /// A kind alone is recomputed in all layers, wherever this is expected.
    // NOLINTNEXTLINE(google-explicit-constructor)
    BURSAR_HD constexpr Recomputation(Recompute kind, std::int64_t n = 1) : what{kind}, every{n} {}

    friend auto operator<=>(const Recomputation&, const Recomputation&) = default;
};

/// "full", "every 2".
[[nodiscard]] std::string recompute_text(const Recomputation& recompute);

/// The inverse of recompute_text; "every 1" is full. Absent: no such text, or n above 9,999.
[[nodiscard]] std::optional<Recomputation> recompute_named(std::string_view text);

enum class PipelineSchedule : std::uint8_t { gpipe, one_f_one_b, interleaved };

/// How one training step is divided over GPUs. GPUs = tensor * pipeline * context * data; expert
/// ranks are taken out of data (FORMULAS 0).
struct Layout {
    std::int64_t tensor{1};   ///< ranks that share every matrix
    std::int64_t pipeline{1}; ///< stages
    std::int64_t chunks{1};   ///< model chunks per rank (virtual stages); > 1: interleaved
    std::int64_t context{1};  ///< ranks that share one sequence
    std::int64_t expert{1};   ///< ranks that share the experts; divides data
    std::int64_t data{1};
    std::int64_t micro_batch{1};   ///< sequences per replica and pass
    std::int64_t micro_batches{1}; ///< passes per step and replica (gradient accumulation)
    Sharding sharding{Sharding::none};
    std::int64_t shard{0}; ///< ranks that share the states, the other copies all-reduce (HSDP);
                           ///< divides context * data; 0: all of them
    Recomputation recompute{};
    bool sequence_parallel{};
    bool gpipe{};                  ///< schedule all forwards first; otherwise 1F1B
    bool offload_optimizer{};      ///< optimizer states and step on the host
    bool offload_parameters{};     ///< weights on the host between uses; needs ZeRO-3 and the above
    std::int64_t offload_layers{}; ///< layers of a stage whose activations are on the host between
                                   ///< their forward and backward pass; 0: none
    bool tensor_across_nodes{};    ///< permits tensor > GPUs per node

    [[nodiscard]] BURSAR_HD std::int64_t gpus() const { return tensor * pipeline * context * data; }
    [[nodiscard]] BURSAR_HD std::int64_t global_batch() const {
        return micro_batch * micro_batches * data;
    }
    /// Ranks with the same weights before sharding, which add up their gradients.
    [[nodiscard]] BURSAR_HD std::int64_t replicas() const { return context * data; }
    /// Ranks that the states are divided over, where `sharding` divides any.
    [[nodiscard]] BURSAR_HD std::int64_t shard_ranks() const {
        return shard > 0 ? shard : replicas();
    }
    [[nodiscard]] BURSAR_HD PipelineSchedule schedule() const {
        if (gpipe)
            return PipelineSchedule::gpipe;
        return chunks > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
    }

    friend bool operator==(const Layout&, const Layout&) = default;
};

/// Layers of the fullest stage: L / p, rounded up.
[[nodiscard]] BURSAR_HD constexpr std::int64_t layers_per_stage(std::int64_t layers,
                                                                std::int64_t stages) {
    return (layers + stages - 1) / stages;
}

/// How the GPUs of a step are divided, for people: "tensor 8 x pipeline 16 (3 chunks) x data 8".
/// Tensor, pipeline and data are always named, the others if above 1.
[[nodiscard]] std::string ranks_text(const Layout& layout);

/// Given sizes of a layout besides the ranks that share the model; absent: derived. All >= 1.
struct LayoutSizes {
    std::optional<std::int64_t> gpus{};
    std::int64_t gpus_per_node{8};
    std::optional<std::int64_t> data{};
    std::optional<std::int64_t> micro_batch{};  ///< 1 where absent
    std::optional<std::int64_t> global_batch{}; ///< sequences per step
};

/// Micro-batches per stage that keep a pipeline's bubble below 15 %.
inline constexpr std::int64_t usual_micro_batches_per_stage = 8;

/// `layout` with its data ranks, micro-batch and micro-batches.
///
/// Data ranks: the GPUs divided by the other ranks (default: the GPUs of one node), at least 1.
/// Micro-batches: the global batch divided likewise (default: 1, in a pipeline 8 per stage). Throws
/// ModelError where a division leaves a remainder.
[[nodiscard]] Layout complete_layout(Layout layout, const LayoutSizes& sizes);

}} // namespace bursar::models
