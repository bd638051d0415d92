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
    std::int64_t gpu_milli{1000}; ///< of each GPU: below 1000 for MIG slices, shards and MPS
    std::int64_t cpu_milli{};
    std::int64_t memory_mib{};
    std::vector<std::string> gpu_types; ///< of gres/gpu:TYPE

    std::string problem; ///< why the GPUs cannot be counted; empty: they are
    std::string why;
    std::string suggestion;
};

/// "billing=32,cpu=32,gres/gpu:a100=8,gres/gpu=8,mem=500G,node=1"; gres/gpu without a type is the
/// sum of those with one; if it is missing, they are summed. A type that ends in a MIG profile
/// ("a100_1g.5gb") is that part of a GPU. gres/shard and gres/mps are parts of a GPU that has
/// `shards_per_gpu` (>= 1) of them. Absent if `text` is no such list.
std::optional<SlurmTres> parse_slurm_tres(std::string_view text,
                                          std::optional<std::int64_t> shards_per_gpu = {});

/// The same of a list of generic resources, as AllocGRES of Slurm before 20.11 has them:
/// "gpu:a100:2", "gpu:2,shard:4"; an empty one has no GPUs.
std::optional<SlurmTres> parse_slurm_gres(std::string_view text,
                                          std::optional<std::int64_t> shards_per_gpu = {});

/// Thousandths of a GPU that a MIG profile of NVIDIA takes, the profile at the end of `type`
/// ("a100_3g.20gb", "1g.6gb+me"): the larger of its fractions of the SMs and of the memory, rounded
/// down. 0: it looks like a profile, but is not in NVIDIA's table; absent: it is no profile.
std::optional<std::int64_t> mig_profile_milli(std::string_view type);

}} // namespace bursar::scenarios
