#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bursar { inline namespace tools {

/// Time of a sample of runs on the GPUs and on the host.
struct DeviceSample {
    std::size_t num_runs{};
    double host_s{};
    double gpu_s{};
    std::size_t in_flight{};   ///< runs that all GPUs make at the same time, >= 1
    std::size_t threads{1};    ///< of the host, >= 1
    std::size_t num_refused{}; ///< runs of the sample that the GPUs refused; they made the others
};

/// Where the rest of a batch runs.
struct DeviceChoice {
    bool takes_gpus{};
    std::string why; ///< one sentence, with the figures that decided
};

/// With fewer runs nothing is measured: the host would finish before a sample on both.
inline constexpr std::size_t least_to_measure = 128;

/// The runs to sample: evenly spaced among `runs`, which are sorted longest first.
[[nodiscard]] std::vector<std::size_t> sample_of(std::span<const std::size_t> runs);

/// left: runs besides the sample. A GPU takes as long for a sample as for all runs that it makes at
/// the same time, each on a separate warp. The host takes as long as for one run on each thread.
/// GPUs are expected to refuse the same share of the rest as of the sample; the host makes those.
/// Precondition: they made some of the sample.
[[nodiscard]] DeviceChoice choose_device(const DeviceSample& sample, std::size_t left);

}} // namespace bursar::tools
