#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bursar { inline namespace tools {

/// What a sample of runs took on both.
struct DeviceSample {
    std::size_t num_runs{};
    double host_s{};
    double gpu_s{};
    std::size_t in_flight{};   ///< runs that all GPUs make at once, >= 1
    std::size_t threads{1};    ///< of the host, >= 1
    std::size_t num_refused{}; ///< of the sample, by the GPUs: they made the others alone
};

/// Who is to make the rest of a batch.
struct DeviceChoice {
    bool takes_gpus{};
    std::string why; ///< one sentence, with the figures that decided
};

/// Below so many runs nothing is measured: the host has them before a sample of both is made.
inline constexpr std::size_t least_to_measure = 128;

/// The runs to sample: evenly spaced among `runs`, which stand longest first.
[[nodiscard]] std::vector<std::size_t> sample_of(std::span<const std::size_t> runs);

/// left: runs beside the sample. A GPU takes as long for a sample as for as many runs as it makes
/// at once, each on a warp of its own, and the host as long as for one on each thread; of what is
/// left GPUs refuse the share that they refused of the sample, which the host then makes, too.
/// Precondition: they made some of it.
[[nodiscard]] DeviceChoice choose_device(const DeviceSample& sample, std::size_t left);

}} // namespace bursar::tools
