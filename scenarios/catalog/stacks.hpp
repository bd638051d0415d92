#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// The software-stack profiles a scenario or a command may name.
struct Stacks {
    std::vector<StackProfile> all; ///< in the order of the file

    [[nodiscard]] const StackProfile* find(std::string_view name) const;
    /// The profile for a measurement's `framework`, in capitals or not; null if there
    /// is none.
    [[nodiscard]] const StackProfile* for_framework(std::string_view framework) const;
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Built into the program: scenarios/catalog/stacks.yaml.
const Stacks& builtin_stacks();

/// A file of the user's own, as `bursar model calibrate` writes it. Throws ScenarioError.
Stacks read_stacks(const std::string& path);

/// The same for a text; messages name `file`.
Stacks read_stacks_text(std::string_view text, const std::string& file);

/// `stacks` as a file that read_stacks reads back to equal profiles.
[[nodiscard]] std::string stacks_yaml(const Stacks& stacks);

/// The facts of a job that decide its software stack.
struct StackClues {
    std::string_view framework{}; ///< its name in lower case; empty: not known
    bool is_transformer{true};
    bool is_searched{}; ///< the program searches its layout, tensor and pipeline parallelism
                        ///< included; of `layout` only a sharding that is always used counts
    Layout layout{};
    Attention attention{Attention::flash2};
    Precision precision{};
    bool has_fp8{}; ///< whether its GPU has fp8
    int year{2023}; ///< of the software that its GPU is usually trained with
};

/// The clues of a transformer whose layout is stated.
[[nodiscard]] StackClues clues_of(const TrainingJob& job, const Gpu& gpu);

/// The profile for a job without a named stack, and the reason.
struct StackChoice {
    const StackProfile* profile{}; ///< of the stacks it was chosen from
    std::string why;               ///< "weights are sharded (zero3)"
};

/// The shipped profile that is nearest to the job, never the fastest:
/// - not a transformer, of no framework: fsdp-flash
/// - no framework, on GPUs whose software is of 2025, with fused attention: megatron-core-h100
/// - a JAX framework: maxtext; Composer: composer; a framework with "async" in its name:
/// - ZeRO-3 of DeepSpeed, or of a framework with "zero" in its name: deepspeed-zero3
/// - a Megatron-like framework with fused attention: megatron-core-h100
/// - ZeRO-3, or a framework of PyTorch: torchtitan
/// - fused attention with tensor or pipeline parallelism, or a layout that is searched, or fp8:
///   megatron-core-h100
/// - other fused attention, plain data parallel: fsdp-flash
/// - sequence parallel without fused attention: megatron-lm-2022-sp
/// - a DeepSpeed stack: megatron-deepspeed-2022; anything else: megatron-lm-2021
/// stacks: not empty; a missing profile is replaced by their first.
[[nodiscard]] StackChoice choose_stack(const Stacks& stacks, const StackClues& clues);

}} // namespace bursar::scenarios
