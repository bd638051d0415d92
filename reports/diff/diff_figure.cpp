#include "reports/diff/diff_figure.hpp"

#include <cmath>

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

std::optional<int128> DiffFigure::delta() const {
    return base && fresh ? std::optional{*fresh - *base} : std::nullopt;
}

std::optional<int128> DiffFigure::percent(std::int64_t scale) const {
    if (!base || !fresh || (*base == 0 && *fresh != 0))
        return std::nullopt;
    const int128 whole = *base < 0 ? -*base : *base;
    return whole == 0 ? 0 : divide_half_up((*fresh - *base) * 100 * scale, whole);
}

std::optional<int128> to_micro(std::optional<double> value) {
    return value ? std::optional{static_cast<int128>(std::round(*value * 1e6))} : std::nullopt;
}

}} // namespace bursar::reports
