#include "models/gpu/gpu.hpp"

#include <algorithm>
#include <cmath>

namespace bursar { inline namespace models {

namespace {

double known(const Gpu& gpu, const std::optional<double>& fact, std::string_view what) {
    if (!fact)
        throw UnknownFact{gpu, what};
    return *fact;
}

} // namespace

std::optional<Precision> find_precision(std::string_view name) {
    const auto found = std::find(precision_names.begin(), precision_names.end(), name);
    if (found == precision_names.end())
        return std::nullopt;
    return static_cast<Precision>(found - precision_names.begin());
}

UnknownFact::UnknownFact(const Gpu& gpu, std::string_view fact)
    : std::runtime_error{gpu.name + ": " + std::string{fact} +
                         " is not known (catalogue gpus.yaml); give it in a catalogue of your "
                         "own"} {}

Bytes memory(const Gpu& gpu) {
    return Bytes{std::llround(known(gpu, gpu.memory_gb, "memory") * 1e9)};
}

ByteRate memory_bandwidth(const Gpu& gpu) {
    return ByteRate{known(gpu, gpu.memory_bandwidth_gb_s, "memory bandwidth") * 1e9};
}

ByteRate scaleup_bandwidth(const Gpu& gpu) {
    return ByteRate{known(gpu, gpu.scaleup_gb_s, "scale-up bandwidth") * 1e9};
}

Power tdp(const Gpu& gpu) {
    return Power{known(gpu, gpu.tdp_w, "TDP")};
}

FlopRate dense_peak(const Gpu& gpu, Precision precision) {
    const auto& peak = gpu.dense_peak_tflops[static_cast<std::size_t>(precision)];
    return FlopRate{known(gpu, peak, "dense " + std::string{name(precision)} + " peak") * 1e12};
}

FlopRate achievable_peak(const Gpu& gpu, Precision precision) {
    const auto& share = gpu.achievable_fraction[static_cast<std::size_t>(precision)];
    return dense_peak(gpu, precision) * share.value_or(unmeasured_achievable_fraction);
}

Precision usual_precision(const Gpu& gpu) {
    for (const Precision precision : {Precision::bf16, Precision::fp16})
        if (supports(gpu, precision))
            return precision;
    return Precision::fp32;
}

namespace {

constexpr double speed_exponent = 0.4;

} // namespace

Gpu power_limited(Gpu gpu, Power limit) {
    const double share = limit.count() / tdp(gpu).count();
    if (share >= 1)
        return gpu;
    for (std::size_t i = 0; i < gpu.achievable_fraction.size(); ++i)
        if (gpu.dense_peak_tflops[i])
            gpu.achievable_fraction[i] =
                gpu.achievable_fraction[i].value_or(unmeasured_achievable_fraction) *
                std::pow(share, speed_exponent);
    return gpu;
}

}} // namespace bursar::models
