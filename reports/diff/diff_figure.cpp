#include "reports/diff/diff_figure.hpp"

#include <cmath>

#include "reports/scalars/scalar_text.hpp"
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

namespace {

double from_micro(int128 micro) {
    return static_cast<double>(micro) / 1e6;
}

std::string with_sign(int128 scaled, unsigned places) {
    return (scaled > 0 ? "+" : "") + grouped_text(scaled, places);
}

std::string percent_text(const DiffFigure& figure) {
    const auto tenths = figure.percent(10);
    return tenths ? with_sign(*tenths, 1) + " %" : "-";
}

/// text: of a figure; change: of a difference.
template <class Text, class Change>
FigureTexts texts_with(const DiffFigure& figure, const Text& text, const Change& change) {
    const auto delta = figure.delta();
    return {figure.base ? text(*figure.base) : "-",
            figure.fresh ? text(*figure.fresh) : "-",
            delta ? change(*delta) : "-",
            percent_text(figure)};
}

} // namespace

FigureTexts texts_of(const DiffFigure& figure, ScalarKind kind) {
    return texts_with(
        figure,
        [&](int128 micro) { return scalar_text(from_micro(micro), kind); },
        [&](int128 micro) { return difference_text(from_micro(micro), kind); });
}

FigureTexts texts_of(const DiffFigure& figure, unsigned places) {
    return texts_with(
        figure,
        [&](int128 scaled) { return grouped_text(scaled, places); },
        [&](int128 scaled) { return with_sign(scaled, places); });
}

}} // namespace bursar::reports
