#pragma once

#include <algorithm>
#include <span>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Gradient buckets of one size, ready one after the other while the backward pass runs.
struct BucketRun {
    double count{};      ///< buckets, >= 1
    Seconds first_ready; ///< since the backward pass began
    Seconds spacing;     ///< between two of them, >= 0
    Seconds each;        ///< one bucket's collective, >= 0
};

/// When the last bucket's collective ends, run by run in order on one channel.
///
/// start_i = max(ready_i, end_{i-1}), end_i = start_i + each (FORMULAS 4.8). Inside a run the end
/// is max over i of ready_i + (count - i) each, linear in i, so the first or the last bucket
/// decides: a run costs the same for three buckets and for thousands.
BURSAR_HD constexpr Seconds finish_buckets(std::span<const BucketRun> runs) {
    Seconds end{};
    for (const BucketRun& run : runs) {
        const Seconds all = run.each * run.count;
        const Seconds last_ready = run.first_ready + run.spacing * (run.count - 1);
        end = std::max({end + all, run.first_ready + all, last_ready + run.each});
    }
    return end;
}

}} // namespace bursar::models
