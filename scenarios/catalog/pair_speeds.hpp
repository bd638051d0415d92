#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/speed_ratio.hpp"

namespace bursar { inline namespace scenarios {

/// Measured speed of whole jobs on a GPU over that on another.
struct PairSpeed {
    std::string name; ///< unique
    std::string from; ///< first words of the name of a GPU: A100-PCIe
    std::string to;   ///< likewise
    std::vector<Precision> formats;
    SpeedRange speed;         ///< on `to` over `from`
    std::int64_t workloads{}; ///< measured on both
    std::string source;
};

/// Pairs with fewer workloads say little of jobs of unknown kind.
inline constexpr std::int64_t min_workloads_of_speed = 5;

/// The speed of jobs of unknown kind on another GPU, and where it comes from.
struct SpeedEstimate {
    SpeedRange range;
    std::optional<SpeedRatio> ratio;   ///< from catalogue figures; absent: not used
    std::optional<PairSpeed> measured; ///< of this pair, from the first GPU to the second
};

struct PairSpeeds {
    std::vector<PairSpeed> all; ///< in the order of the file

    /// The speed of jobs of `to` over `from`, in either direction; absent: not measured.
    [[nodiscard]] std::optional<PairSpeed>
    find(std::string_view from, std::string_view to, Precision format) const;

    /// The speed on `to` of jobs of unknown kind that ran on `from`: as measured on five workloads
    /// or more, else from the catalogue (speed_ratio), with a range that holds what was measured
    /// on fewer. Throws UnknownFact as speed_ratio does.
    [[nodiscard]] SpeedEstimate estimate(const Gpu& from, const Gpu& to, Precision format) const;
};

/// Built into the program: scenarios/catalog/speeds.yaml.
const PairSpeeds& builtin_pair_speeds();

/// A text of the same layout; messages name `file`. Throws ScenarioError with every mistake in it.
PairSpeeds read_pair_speeds_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
