#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/decimal.hpp"

/// Times of rows in files of prices, grids and availability.
namespace bursar { inline namespace scenarios {

/// Bare numbers in this range are instants: 2000-01-01 to 2100-01-01, in ms since 1970. As seconds
/// or ms since the begin of a run they would be longer than 30 years.
inline constexpr std::int64_t min_epoch_ms = 946'684'800'000;
inline constexpr std::int64_t max_epoch_ms = 4'102'444'800'000;

/// Whether a time in ms is of the size of one since 1970.
inline constexpr bool is_epoch_time(std::int64_t ms) {
    return ms >= min_epoch_ms && ms < max_epoch_ms;
}

/// The instant, in ms since 1970, of a bare number in seconds ("1711800000") or ms. Absent if it is
/// out of that range: then it counts from the file's zero.
inline std::optional<std::int64_t> epoch_time(std::string_view text) {
    const auto number = parse_decimal(text);
    for (const std::int64_t unit_ms : {1000, 1})
        if (const auto ms = number ? number->times(unit_ms) : std::nullopt;
            ms && is_epoch_time(*ms))
            return ms;
    return std::nullopt;
}

/// The note for a file whose bare numbers are taken as dates; place: of the first.
inline Finding epoch_time_note(Place place) {
    Finding note = mistake("times are taken as seconds or milliseconds since 1970-01-01 UTC",
                           "by their size: since a run's begin they would be 30 years and more");
    note.place = std::move(place);
    return note;
}

/// The note for a file with dates without a zone; place: of the first.
inline Finding no_zone_note(Place place) {
    Finding note = mistake("times without a zone are taken as UTC");
    note.place = std::move(place);
    return note;
}

}} // namespace bursar::scenarios
