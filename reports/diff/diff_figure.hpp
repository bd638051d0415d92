#pragma once

#include <cstdint>
#include <optional>

#include "models/units/int128.hpp"

namespace bursar { inline namespace reports {

/// A figure of two results, as both print it.
struct DiffFigure {
    std::optional<int128> base, fresh; ///< absent: not known, or nothing

    /// Absent where one of them is.
    [[nodiscard]] std::optional<int128> delta() const;
    /// The change in per cent of the base, times `scale`, half up; absent where nothing can be
    /// said, or the base is 0 and the other is not.
    [[nodiscard]] std::optional<int128> percent(std::int64_t scale) const;
    /// Whether there is nothing to say of it.
    [[nodiscard]] bool is_same() const { return base == fresh; }

    bool operator==(const DiffFigure&) const = default;
};

/// The millionths of a scalar, as JSON and CSV print it.
[[nodiscard]] std::optional<int128> to_micro(std::optional<double> value);

}} // namespace bursar::reports
