#pragma once

#include <array>
#include <string_view>

/// The names users give to the choices of a training job, in the order of the enumerations of
/// layout.hpp and training_job.hpp; scenarios, the command line and answers use these.
namespace bursar { inline namespace models {

inline constexpr std::array<std::string_view, 4> sharding_names{"none", "zero1", "zero2", "zero3"};

inline constexpr std::array<std::string_view, 4> recompute_names{
    "none", "selective", "full", "operators"};

inline constexpr std::array<std::string_view, 4> attention_names{
    "unfused", "flash1", "flash2", "flash3"};

inline constexpr std::array<std::string_view, 6> recipe_names{
    "fp32-adam", "mixed-adam", "megatron-adam", "pure-bf16", "mixed-sgd", "mixed-adam8"};

inline constexpr std::array<std::string_view, 3> compilation_names{
    "eager", "compiled", "cuda-graphs"};

}} // namespace bursar::models
