#include "tools/batch/device_choice.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

namespace bursar { inline namespace tools {
namespace {

std::string seconds(double s) {
    char text[32];
    const int size = std::snprintf(text, sizeof text, s < 10 ? "%.2f s" : "%.0f s", s);
    return {text, static_cast<std::size_t>(size)};
}

/// Number of groups of `at_once` runs, the last one perhaps smaller.
double waves(std::size_t runs, std::size_t at_once) {
    return static_cast<double>((runs + at_once - 1) / at_once);
}

double host_seconds(const DeviceSample& sample, std::size_t runs) {
    return waves(runs, sample.threads) * sample.host_s / waves(sample.num_runs, sample.threads);
}

/// The number of runs from which GPUs are faster, in words.
std::string crossover(const DeviceSample& sample, std::size_t in_flight) {
    const double at_once =
        waves(sample.num_runs, sample.threads) * static_cast<double>(sample.threads);
    const double runs = at_once * sample.gpu_s / sample.host_s;
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
    assert(sample.num_refused < sample.num_runs);
    const std::size_t num_made = sample.num_runs - sample.num_refused;
    const std::size_t in_flight = std::max(sample.in_flight, num_made);
    const std::size_t refused = left * sample.num_refused / sample.num_runs;
    const double gpu_s =
        waves(left - refused, in_flight) * sample.gpu_s + host_seconds(sample, refused);
    const double host_s = host_seconds(sample, left);
    DeviceChoice choice;
    choice.takes_gpus = gpu_s < host_s;
    choice.why = std::to_string(num_made) + " runs took " + seconds(sample.gpu_s) +
                 " on the GPUs and " + std::to_string(sample.num_runs) + " " +
                 seconds(sample.host_s) + " on the host; the other " + std::to_string(left) +
                 " would take " + seconds(gpu_s) + " there, with " + std::to_string(in_flight) +
                 " at once" +
                 (refused > 0 ? " and " + std::to_string(refused) + " that they refuse here" : "") +
                 ", and " + seconds(host_s) + " here; " + crossover(sample, in_flight);
    return choice;
}

}} // namespace bursar::tools
