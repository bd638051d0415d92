#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"
#include "reports/result/result_attempt.hpp"

namespace bursar { inline namespace reports {

/// A part of a phase.
struct LeafTime {
    std::string_view leaf; ///< "over.startup"; a group, "overhead" or "productive", where a result
                           ///< does not keep which of its leaves
    Duration held{};

    bool operator==(const LeafTime&) const = default;
};

/// A phase of an attempt: before, during or after its work.
struct AttemptPhase {
    static constexpr std::size_t max_parts = 3;

    Duration begin{}, end{};
    std::array<LeafTime, max_parts> parts{}; ///< add up to the phase; not ordered by time
    std::size_t num_parts{};
    bool is_work{}; ///< the attempt says which share of its kept part stalled

    /// Adds a part, unless it is empty.
    void add(std::string_view leaf, Duration held) {
        if (held > Duration{})
            parts[num_parts++] = {leaf, held};
    }
};

/// The phases of an attempt in order of time, without gaps; empty phases are left out. A job that
/// saves while it works has one phase for both, as a result keeps the length of saves and not their
/// times. So has an attempt that a fault stopped before its work began.
[[nodiscard]] std::vector<AttemptPhase> phases_of(const Result& result,
                                                  const ResultAttempt& attempt);

}} // namespace bursar::reports
