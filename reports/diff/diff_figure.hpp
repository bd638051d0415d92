#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/units/int128.hpp"

#include "reports/metrics/scalar_kind.hpp"

namespace bursar { inline namespace reports {

/// A figure of two results, as both print it.
struct DiffFigure {
    std::optional<int128> base, fresh; ///< absent: not known, or nothing

    /// Absent where one of them is.
    [[nodiscard]] std::optional<int128> delta() const;
    /// The change in per cent of the base, times `scale`, half up; absent if a figure is, or if the
    /// base alone is 0.
    [[nodiscard]] std::optional<int128> percent(std::int64_t scale) const;
    /// Whether base and new are equal.
    [[nodiscard]] bool is_same() const { return base == fresh; }

    bool operator==(const DiffFigure&) const = default;
};

/// The millionths of a scalar, as JSON and CSV print it.
[[nodiscard]] std::optional<int128> to_micro(std::optional<double> value);

/// A figure of two results for people; "-": not known.
struct FigureTexts {
    std::string base, fresh;
    std::string delta;   ///< "+2.1 h", "-1,204.00"
    std::string percent; ///< "+5.2 %"
};

/// figure: of a scalar of that kind, in millionths.
[[nodiscard]] FigureTexts texts_of(const DiffFigure& figure, ScalarKind kind);

/// figure: in units of 10^-places.
[[nodiscard]] FigureTexts texts_of(const DiffFigure& figure, unsigned places);

}} // namespace bursar::reports
