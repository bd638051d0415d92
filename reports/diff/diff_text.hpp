#pragma once

#include <string>

#include "reports/diff/result_diff.hpp"
#include "reports/metrics/scalar_kind.hpp"

namespace bursar { inline namespace reports {

/// A figure of two results for people; "-": not known.
struct FigureTexts {
    std::string base, fresh;
    std::string delta;   ///< "+2.1 h", "-1,204.00"
    std::string percent; ///< "+5.2 %"
};

/// figure: of a scalar of that kind, in millionths.
[[nodiscard]] FigureTexts texts_of(const DiffFigure& figure, ScalarKind kind);

/// The 95 % interval of a change: "-0.20 .. +14.80"; "-": there is none.
[[nodiscard]] std::string interval_text(const DiffMetric& metric);

/// figure: in units of 10^-places.
[[nodiscard]] FigureTexts texts_of(const DiffFigure& figure, unsigned places);

}} // namespace bursar::reports
