#include "scenarios/measurements/nearest_profile.hpp"

#include <cassert>

#include "scenarios/reader/plain_text.hpp"

namespace bursar::inline scenarios {
namespace {

bool has(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

std::string_view nearest_name(std::string_view words, const TrainingJob& job, const Gpu& gpu) {
    const bool fused = job.attention != Attention::unfused;
    const bool sharded = job.layout.sharding == Sharding::zero3;
    const bool split = job.layout.tensor > 1 || job.layout.pipeline > 1;
    const bool megatron =
        has(words, "megatron") || has(words, "nemo") || has(words, "transformer-engine");
    if (has(words, "fsdp") || has(words, "torchtitan") || sharded)
        return "fsdp-flash";
    if (fused && (job.precision == Precision::fp8 || split || megatron) &&
        (megatron || split || supports(gpu, Precision::fp8)))
        return "megatron-core-h100";
    if (fused)
        return "fsdp-flash";
    if (job.layout.sequence_parallel)
        return "megatron-lm-2022-sp";
    return has(words, "deepspeed") ? "megatron-deepspeed-2022" : "megatron-lm-2021";
}

} // namespace

const StackProfile& nearest_profile(std::string_view framework,
                                    const TrainingJob& job,
                                    const Gpu& gpu,
                                    const Stacks& stacks,
                                    Assumptions& assumptions) {
    assert(!stacks.all.empty());
    if (const StackProfile* own = stacks.for_framework(framework))
        return *own;
    const std::string_view name = nearest_name(lower_case(framework), job, gpu);
    const StackProfile* nearest = stacks.find(name);
    if (nearest == nullptr)
        nearest = &stacks.all.front();
    assumptions.push_back("profile: " + nearest->name + " as the nearest to " +
                          (framework.empty() ? "an unnamed stack" : std::string{framework}));
    return *nearest;
}

} // namespace bursar::inline scenarios
