#pragma once

#include "models/training/training_job.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/measurements/stated_settings.hpp"

namespace bursar::inline scenarios {

/// The profile for a measurement of `framework`: the one that speaks for it, else the nearest of
/// the shipped ones, by what the run does:
/// - ZeRO-3 or FSDP, or a framework named after them: fsdp-flash
/// - fused attention with tensor or pipeline parallelism, fp8, or a GPU that has fp8 rates:
///   megatron-core-h100 under a Megatron-like framework, else fsdp-flash
/// - sequence parallel without fused attention: megatron-lm-2022-sp
/// - a DeepSpeed stack: megatron-deepspeed-2022; anything else: megatron-lm-2021
/// A guess goes to `assumptions`. stacks: not empty; a profile it lacks is replaced by its first.
const StackProfile& nearest_profile(std::string_view framework,
                                    const TrainingJob& job,
                                    const Gpu& gpu,
                                    const Stacks& stacks,
                                    Assumptions& assumptions);

} // namespace bursar::inline scenarios
