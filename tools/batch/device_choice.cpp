#include "tools/batch/device_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bursar::inline tools {
namespace {

std::string seconds(double s) {
    char text[32];
    const int size = std::snprintf(text, sizeof text, s < 10 ? "%.2f s" : "%.0f s", s);
    return {text, static_cast<std::size_t>(size)};
}

/// From how many runs on the GPUs are faster, in words.
std::string crossover(const DeviceSample& sample, std::size_t in_flight) {
    const double runs = static_cast<double>(sample.num_runs) * sample.gpu_s / sample.host_s;
    if (runs > static_cast<double>(in_flight))
        return "they pay at no number of such runs";
    return "they pay from " +
           std::to_string(static_cast<std::size_t>(std::ceil(std::max(runs, 1.0)))) +
           " such runs on";
}

} // namespace

std::vector<std::size_t> sample_of(std::span<const std::size_t> runs) {
    const std::size_t num = std::clamp<std::size_t>(runs.size() / 8, 1, 256);
    std::vector<std::size_t> sample;
    for (std::size_t i = 0; i < num && !runs.empty(); ++i)
        sample.push_back(runs[i * runs.size() / num]);
    return sample;
}

DeviceChoice choose_device(const DeviceSample& sample, std::size_t left) {
    const std::size_t in_flight = std::max(sample.in_flight, sample.num_runs);
    const std::size_t waves = (left + in_flight - 1) / in_flight;
    const double gpu_s = static_cast<double>(waves) * sample.gpu_s;
    const double host_s =
        static_cast<double>(left) * sample.host_s / static_cast<double>(sample.num_runs);
    DeviceChoice choice;
    choice.takes_gpus = gpu_s < host_s;
    choice.why = std::to_string(sample.num_runs) + " runs took " + seconds(sample.gpu_s) +
                 " on the GPUs and " + seconds(sample.host_s) + " on the host; the other " +
                 std::to_string(left) + " would take " + seconds(gpu_s) + " there, with " +
                 std::to_string(in_flight) + " at once, and " + seconds(host_s) + " here; " +
                 crossover(sample, in_flight);
    return choice;
}

} // namespace bursar::inline tools
