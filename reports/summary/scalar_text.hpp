#pragma once

#include <cstdint>
#include <string>

namespace bursar {

/// What a scalar of a result is, for people.
enum class ScalarKind : std::uint8_t {
    usd,       ///< "362,388.57"
    rate,      ///< USD per GPU-hour: "1.977"
    ratio,     ///< "23.4 %"
    seconds,   ///< "5.2 h"
    count,     ///< "1,204", "3.5" where it is a mean
    gpu_hours, ///< "1,204.5"
};

/// A scalar, or a mean of some, for people.
[[nodiscard]] std::string scalar_text(double value, ScalarKind kind);

/// A difference of two, with its sign where it is not nothing: "+2.1 h", "-1,204.00", "0 s"; of
/// ratios in percentage points: "+1.5 pp".
[[nodiscard]] std::string difference_text(double value, ScalarKind kind);

} // namespace bursar
