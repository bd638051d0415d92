#pragma once

#include <string>

#include "reports/metrics/scalar_kind.hpp"

namespace bursar { inline namespace reports {

/// In which unit a chart shows a metric: shown = value / divisor.
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
[[nodiscard]] MetricScale metric_scale(ScalarKind kind, double most);

}} // namespace bursar::reports
