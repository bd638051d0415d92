#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// Milliseconds of "[days-]hours:minutes:seconds" or "minutes:seconds", as batch systems write time
/// spans: "1-02:10:52", "120:00:00", "10:52.5". Minutes and seconds are below 60 where something
/// stands before them; absent where `text` is no such span.
std::optional<std::int64_t> parse_clock_time(std::string_view text);

}} // namespace bursar::scenarios
