#include "scenarios/compile/features/series_cover.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// "the first price holds for 97.2 % of the run"
std::string
held(const SeriesOfFile& series, const char* which, std::int64_t held_ms, Duration end) {
    return held_ms >= end.count()
               ? fmt::format("the {} {} holds throughout", which, series.value)
               : fmt::format("the {} {} holds for {:.3g} % of the run",
                             which,
                             series.value,
                             100 * static_cast<double>(held_ms) / static_cast<double>(end.count()));
}

} // namespace

std::optional<Finding> uncovered(const SeriesOfFile& series, std::int64_t zero_ms, Duration end) {
    const std::int64_t before = std::clamp<std::int64_t>(series.first_ms - zero_ms, 0, end.count());
    const std::int64_t after =
        std::clamp<std::int64_t>(zero_ms + end.count() - series.end_ms, 0, end.count());
    const std::int64_t outside = std::min(before + after, end.count());
    if (outside <= end.count() / 2)
        return std::nullopt;
    std::string held_so;
    if (before > 0)
        held_so = held(series, "first", before, end);
    if (after > 0)
        held_so += (held_so.empty() ? "" : ", ") + held(series, "last", after, end);
    return mistake(outside == end.count()
                       ? fmt::format("{} and the run do not overlap", series.name)
                       : fmt::format("{} covers {:.3g} % of the run",
                                     series.name,
                                     100 - 100 * static_cast<double>(outside) /
                                               static_cast<double>(end.count())),
                   fmt::format("it goes from {} to {}, the run from {} to {}: {}",
                               series.instant(series.first_ms),
                               series.instant(series.end_ms),
                               series.instant(zero_ms),
                               series.instant(zero_ms + end.count()),
                               held_so),
                   series.remedy);
}

}} // namespace bursar::scenarios
