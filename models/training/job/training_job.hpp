#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/gpu/gpu.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/transformer.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// The attention core: scores written to memory, or a fused kernel of that generation.
enum class Attention : std::uint8_t { unfused, flash1, flash2, flash3 };

/// Bytes of weights, gradients and optimizer states per parameter (FORMULAS 3.1).
enum class StateRecipe : std::uint8_t {
    fp32_adam,     ///< 4 + 4 + 8
    mixed_adam,    ///< 2 + 2 + 12, 16-bit gradients
    megatron_adam, ///< 2 + 4 + 12, fp32 main gradients
    pure_bf16,     ///< 2 + 2 + 4
    mixed_sgd,     ///< 2 + 4 + 8: momentum, Muon
    mixed_adam8    ///< 2 + 4 + 6: 8-bit moments
};

/// The source of the scales of fp8 products.
enum class Fp8Scaling : std::uint8_t {
    delayed, ///< one per tensor, from earlier steps
    current, ///< one per tensor or per block of it, from the tensor itself: one more pass over it
    per_row  ///< one per row, from the row itself: other kernels, which are slower
};

/// How kernels reach the GPU.
enum class Compilation : std::uint8_t { eager, compiled, cuda_graphs };

/// How samples reach the GPU (FORMULAS 4.11); per node.
struct InputPipeline {
    ByteVolume bytes_per_sample{};
    Seconds cpu_per_sample{};         ///< decode and transform on one worker
    std::int64_t workers{0};          ///< loader processes per node; 0: in the training process
    std::int64_t prefetch{2};         ///< batches kept ready; < 2: loading and training alternate
    ByteRate storage{};               ///< shared storage to one node, > 0
    ByteRate cache{};                 ///< local cache, > 0 if cache_hit > 0
    double cache_hit{};               ///< share of bytes served by the cache, 0..1
    bool pinned_memory{true};         ///< copies to the GPU overlap with compute
    Seconds file_open{};              ///< a loader waits for a file of the shared storage, >= 0
    std::int64_t samples_per_file{1}; ///< > 1: a packed format (TFRecord, WebDataset, MDS)
};

/// Compression of gradients: top-k, PowerSGD (FORMULAS 4.8).
struct GradientCompression {
    double ratio{};  ///< bytes sent over bytes of the gradient, (0, 1]
    double passes{}; ///< over the fp32 gradient to encode and decode it, >= 0
};

/// One transformer training step with its layout.
struct TrainingJob {
    Transformer model;
    std::int64_t sequence{}; ///< tokens per sample, > 0
    Layout layout;
    Precision precision{Precision::bf16};
    Fp8Scaling fp8_scaling{Fp8Scaling::delayed};
    Attention attention{Attention::flash2};
    StateRecipe recipe{StateRecipe::megatron_adam};
    Compilation compilation{Compilation::eager};
    bool unfused_loss{}; ///< kernel by kernel in fp32 (FORMULAS 4.1), not as the stack has it
    bool offloads_activations{}; ///< its stack does so before it recomputes any (with_offload())
    std::optional<InputPipeline> input;
    std::optional<GradientCompression> compression;
    double expert_imbalance{1.0}; ///< tokens of the busiest rank over the mean, >= 1
};

/// The names users give to the choices of a training job, in the order of the enumerations of
/// layout.hpp and training_job.hpp; scenarios, the command line and answers use these.

inline constexpr std::array<std::string_view, 4> sharding_names{"none", "zero1", "zero2", "zero3"};

inline constexpr std::array<std::string_view, 4> attention_names{
    "unfused", "flash1", "flash2", "flash3"};

inline constexpr std::array<std::string_view, 6> recipe_names{
    "fp32-adam", "mixed-adam", "megatron-adam", "pure-bf16", "mixed-sgd", "mixed-adam8"};

inline constexpr std::array<std::string_view, 3> compilation_names{
    "eager", "compiled", "cuda-graphs"};

}} // namespace bursar::models
