#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/gpu/speed_ratio.hpp"

namespace bursar { inline namespace scenarios {

/// How much faster whole jobs were measured to be in one number format than in another.
struct PrecisionGain {
    std::string name;              ///< unique
    std::vector<std::string> gpus; ///< starts of the names of GPUs it is of
    std::vector<Precision> from;
    std::vector<Precision> to;
    SpeedRange gain;         ///< of a job in a format of `to` over one of `from`
    std::int64_t measured{}; ///< jobs in two formats each
    std::string source;
};

struct PrecisionGains {
    std::vector<PrecisionGain> all; ///< in the order of the file

    /// What jobs gain on that GPU that go from one format to the other, either way; absent: nobody
    /// measured it.
    [[nodiscard]] std::optional<PrecisionGain>
    find(std::string_view gpu, Precision from, Precision to) const;
};

/// Built into the program: scenarios/catalog/precision.yaml.
const PrecisionGains& builtin_precision_gains();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
PrecisionGains read_precision_gains(const std::string& path);

/// A text of the same layout that messages call `file`. Throws ScenarioError with every mistake in
/// it.
PrecisionGains read_precision_gains_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
