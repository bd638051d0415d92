#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// The resources of a job, from Slurm's trackable resources.
struct SlurmTres {
    std::int64_t gpus{};
    std::int64_t cpu_milli{};
    std::int64_t memory_mib{};
    std::vector<std::string> gpu_types; ///< of gres/gpu:TYPE
};

/// "billing=32,cpu=32,gres/gpu:a100=8,gres/gpu=8,mem=500G,node=1"; gres/gpu without a type is the
/// sum of those with one; if it is missing, they are summed. Absent if `text` is no such list.
std::optional<SlurmTres> parse_slurm_tres(std::string_view text);

}} // namespace bursar::scenarios
