#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bursar { inline namespace reports {

/// The kind of a scalar: its unit, its resolution and how it is shown.
enum class ScalarKind : std::uint8_t {
    usd,       ///< "362,388.57"
    rate,      ///< USD per GPU-hour: "1.977"
    ratio,     ///< "23.4 %"
    seconds,   ///< "5.2 h"
    count,     ///< "1,204", "3.5" where it is a mean
    gpu_hours, ///< "1,204.5"
    job_hours, ///< likewise
    kwh,       ///< likewise
    kilograms, ///< likewise; of CO2e
};

/// The unit in which files give a scalar; empty: a plain number.
[[nodiscard]] constexpr std::string_view unit_of(ScalarKind kind) {
    constexpr std::array<std::string_view, 9> units{
        "USD", "USD per GPU-hour", "", "s", "", "GPU-hours", "job-hours", "kWh", "kg"};
    return units[static_cast<std::size_t>(kind)];
}

/// The smallest significant difference of two scalars: the clock's 1 ms for times, else a
/// millionth, the last decimal that is kept.
[[nodiscard]] constexpr double resolution(ScalarKind kind) {
    return kind == ScalarKind::seconds ? 1e-3 : 1e-6;
}

/// Which of two values of a scalar is better.
enum class Better : std::uint8_t {
    lower,
    higher,
    neither, ///< descriptive only
};

}} // namespace bursar::reports
