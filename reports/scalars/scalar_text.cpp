#include "reports/scalars/scalar_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/units/units.hpp"

#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Of a value that is not negative.
std::string magnitude_text(double value, ScalarKind kind) {
    if (value > 1e14) // more than any run has, but a saved result may say so
        return fmt::format("{:.6g}", value);
    switch (kind) {
    case ScalarKind::usd:
        return grouped_text(std::llround(value * 100), 2);
    case ScalarKind::rate:
        return grouped_text(std::llround(value * 1000), 3);
    case ScalarKind::ratio:
        return grouped_text(divide_half_up(static_cast<int128>(std::round(value * 1e6)), 1000), 1) +
               " %"; // as Fraction::permille
    case ScalarKind::count:
        return value == std::floor(value) ? grouped_text(std::llround(value), 0)
                                          : grouped_text(std::llround(value * 10), 1);
    case ScalarKind::gpu_hours:
    case ScalarKind::job_hours:
    case ScalarKind::kwh:
    case ScalarKind::kilograms:
        return grouped_text(std::llround(value * 10), 1);
    case ScalarKind::seconds:
        break;
    }
    return span_text(Duration{std::llround(value * 1000)});
}

} // namespace

std::string scalar_text(double value, ScalarKind kind) {
    const std::string text = magnitude_text(std::abs(value), kind);
    return value < 0 && text != magnitude_text(0, kind) ? "-" + text : text;
}

std::string difference_text(double value, ScalarKind kind) {
    std::string text = scalar_text(value, kind);
    if (value > 0 && text != magnitude_text(0, kind))
        text.insert(0, 1, '+');
    if (kind == ScalarKind::ratio)
        text.replace(text.size() - 1, 1, "pp");
    return text;
}

std::string interval_text(std::optional<double> low, std::optional<double> high, ScalarKind kind) {
    return low && high
               ? fmt::format("{} .. {}", difference_text(*low, kind), difference_text(*high, kind))
               : "-";
}

std::string p99_note(std::uint64_t jobs) {
    if (jobs == 0 || jobs >= 1000)
        return {};
    const std::uint64_t last = jobs - 1; // the p99 lies at 0.99 of it, in a sorted list from 0
    const std::uint64_t longest = std::max<std::uint64_t>(1, last - last * 99 / 100);
    return fmt::format("p99 of {} job{}: the longest{} decide{} it",
                       jobs,
                       jobs == 1 ? "" : "s",
                       longest == 1 ? std::string{} : fmt::format(" {}", longest),
                       longest == 1 ? "s" : "");
}

std::string answer_unit(ScalarKind kind) {
    return kind == ScalarKind::ratio ? "fraction" : std::string{unit_of(kind)};
}

}} // namespace bursar::reports
