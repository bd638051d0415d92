#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/gpu/speed_ratio.hpp"

namespace bursar { inline namespace scenarios {

/// Measured speed-up of whole jobs from one number format to another.
struct PrecisionGain {
    std::string name;              ///< unique
    std::vector<std::string> gpus; ///< beginnings of the names of its GPUs
    std::vector<Precision> from;
    std::vector<Precision> to;
    SpeedRange gain;         ///< of a job in a format of `to` over one of `from`
    std::int64_t measured{}; ///< jobs in two formats each
    std::string source;
};

struct PrecisionGains {
    std::vector<PrecisionGain> all; ///< in the order of the file

    /// The gain of jobs on that GPU from one format to the other, in either direction; absent: not
    /// measured.
    [[nodiscard]] std::optional<PrecisionGain>
    find(std::string_view gpu, Precision from, Precision to) const;
};

/// Built into the program: scenarios/catalog/precision.yaml.
const PrecisionGains& builtin_precision_gains();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
PrecisionGains read_precision_gains(const std::string& path);

/// The same for a text; messages name `file`.
PrecisionGains read_precision_gains_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
