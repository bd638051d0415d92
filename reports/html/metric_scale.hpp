#pragma once

#include <array>
#include <string>

#include "reports/metrics/scalar_kind.hpp"

namespace bursar { inline namespace reports {

/// The unit of a metric in a chart: shown = value / divisor.
struct MetricScale {
    double divisor{1};
    std::string unit; ///< "h", "USD", "%"; empty: a plain number

    /// "mean wait, h".
    [[nodiscard]] std::string titled(const std::string& title) const {
        const bool says_it = unit.empty() || title.ends_with(unit) || title.starts_with("USD");
        return says_it ? title : title + ", " + unit;
    }
};

/// For values up to `most` in size.
[[nodiscard]] inline MetricScale metric_scale(ScalarKind kind, double most) {
    if (kind == ScalarKind::ratio)
        return {0.01, "%"};
    if (kind != ScalarKind::seconds)
        return {1, std::string{unit_of(kind)}};
    struct Unit {
        double seconds, until;
        const char* name;
    };
    constexpr std::array units{Unit{1, 120, "s"}, Unit{60, 7200, "min"}, Unit{3600, 172'800, "h"}};
    for (const Unit& unit : units)
        if (most < unit.until)
            return {unit.seconds, unit.name};
    return {86'400, "d"};
}

}} // namespace bursar::reports
