#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"
#include "reports/result/result_attempt.hpp"

namespace bursar { inline namespace reports {

/// What a part of a phase was held for.
struct LeafTime {
    std::string_view leaf; ///< "over.startup"; a group, "overhead" or "productive", where a result
                           ///< does not keep which of its leaves
    Duration held{};

    bool operator==(const LeafTime&) const = default;
};

/// A stretch of an attempt: before its work, at work, or behind it.
struct AttemptPhase {
    static constexpr std::size_t max_parts = 3;

    Duration begin{}, end{};
    std::array<LeafTime, max_parts> parts{}; ///< they add up to it, in no order of time
    std::size_t num_parts{};
    bool is_work{}; ///< of what is kept of it, stalls take the share that the attempt says

    /// Adds a part, unless it is empty.
    void add(std::string_view leaf, Duration held) {
        if (held > Duration{})
            parts[num_parts++] = {leaf, held};
    }
};

/// The phases of an attempt in order of time, without gaps; those of no length are left out. Only
/// what is known: a job that saves while it works has one phase for both, as a result keeps how
/// long saves took, and not when they were, and so has an attempt that a fault stopped before its
/// work began.
[[nodiscard]] std::vector<AttemptPhase> phases_of(const Result& result,
                                                  const ResultAttempt& attempt);

}} // namespace bursar::reports
