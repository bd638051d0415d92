#pragma once

#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// GPUs of a pool, on average over a bin.
struct PoolBin {
    double allocated{}, down{};
    double off{}; ///< of nodes that are not launched, so not paid for
};

/// The run in equal intervals, one per point of a chart.
struct TimeBin {
    Duration begin;
    std::vector<PoolBin> pools; ///< in the order of the result
    double queue_jobs{};        ///< on average
    double queue_gpus{};        ///< likewise
    std::uint32_t most_jobs{};  ///< the longest queue within it
    Duration oldest{};          ///< longest wait within it of a job that had never started, from
                                ///< its submit
    double burn_usd_per_hour{}; ///< average cost of all launched nodes, at the current prices
};

struct TimeBins {
    Duration width{};
    std::vector<TimeBin> bins; ///< the last one may be shorter; empty without a timeline
};

/// At most `most` bins, >= 1, of a round length.
[[nodiscard]] TimeBins time_bins(const Result& result, std::size_t most);

}} // namespace bursar::reports
