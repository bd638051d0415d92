#pragma once

#include <cstddef>
#include <cstdint>

#include "reports/answer/answer.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {

/// Tells in an answer what limits it: runs that are missing or have no result, of which at most
/// `shown` are listed, what runs warn of, and what they rest on. Returns how many have no result.
std::uint64_t add_caveats(const SweepTable& table, std::size_t shown, Answer& answer);

}} // namespace bursar::reports
