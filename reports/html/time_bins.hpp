#pragma once

#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// GPUs of a pool, on average over a bin.
struct PoolBin {
    double allocated{}, down{};
    double off{}; ///< of nodes that are not there: nobody pays for them
};

/// The run cut into equal stretches of time, each a point of a chart.
struct TimeBin {
    Duration begin;
    std::vector<PoolBin> pools; ///< in the order of the result
    double queue_jobs{};        ///< on average
    double queue_gpus{};        ///< likewise
    std::uint32_t most_jobs{};  ///< the longest queue within it
    Duration oldest{};          ///< how long a job that had never started had waited within it, at
                                ///< most; what waited before it counts
    double burn_usd_per_hour{}; ///< on average, for all that is there, at the price of each moment
};

struct TimeBins {
    Duration width{};
    std::vector<TimeBin> bins; ///< the last one may be shorter; empty without a timeline
};

/// At most so many bins, each a round span of time long. most: >= 1.
[[nodiscard]] TimeBins time_bins(const Result& result, std::size_t most);

}} // namespace bursar::reports
