#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// No reservations; `head` decides what happens while the first job does not fit.
struct NoBackfill {
    static constexpr std::string_view name = "none";
    static constexpr std::string_view summary = "no reservations: `head` alone decides";
};

}} // namespace bursar::policies
