#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// The GPUs of a cloud's machine.
struct MachineGpus {
    std::int64_t gpus{};
    std::string_view gpu; ///< its kind in one word: "V100"
};

/// The GPUs of a machine by the name of its type, as AWS, Google and Azure call it ("p3.16xlarge",
/// "a2-highgpu-1g", "NC24s v2" or "Standard_NC24s_v2"); absent for others. Source: the clouds'
/// pages of their GPU machines, as of 2026-11.
[[nodiscard]] std::optional<MachineGpus> machine_gpus(std::string_view type);

/// Whether `word`, such as "A100", is a word of the GPU's name: "A100-SXM4-80GB".
[[nodiscard]] bool names_gpu(const std::string& gpu, std::string_view word);

}} // namespace bursar::scenarios
