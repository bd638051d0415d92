#pragma once

#include <cstdint>
#include <optional>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar {

/// Exact statistics of whole numbers of one unit; nothing but `count` means anything when it is 0.
/// The mean is sum / count.
///
/// Percentiles interpolate linearly between order statistics (numpy's default): with n sorted
/// values x and h = q (n-1) / 100, x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h]). The
/// weight is a whole number of hundredths, so they are exact in hundredths of the unit.
struct Distribution {
    std::uint64_t count{};
    int128 sum{};
    int128 p50_hundredths{};
    int128 p90_hundredths{};
    int128 p99_hundredths{};
    std::int64_t max{};

    bool operator==(const Distribution&) const = default;
};

/// What users felt: exact figures over the measured jobs, those submitted in
/// [measure_from, measure_to). The distributions are over the finished ones among them.
struct Metrics {
    std::uint64_t jobs_measured{};      ///< submitted inside the window and before the end
    std::uint64_t jobs_finished{};      ///< of the measured ones
    std::uint64_t jobs_censored{};      ///< of the measured ones: queued or running at the end
    std::uint64_t jobs_not_submitted{}; ///< inside the window, but the run ended first
    SlotTime censored_held{};           ///< what the censored jobs held until the end

    Distribution jct;          ///< finish - submit; ms
    Distribution wait;         ///< first start - submit; ms
    Distribution queued_total; ///< all time submitted and not running; ms
    /// JCT / run time in millionths, each job rounded half up. A job of no run time has none, so
    /// `count` may be less than jobs_finished.
    Distribution slowdown;
    Distribution bounded_slowdown; ///< max(1, JCT / max(run time, 10 s)) in millionths

    std::optional<Duration> makespan; ///< last finish - first submit; absent if nothing finished
    std::uint64_t preemptions{};
    std::uint64_t restarts{}; ///< starts after the first

    bool operator==(const Metrics&) const = default;
};

/// Run time below which a slowdown says little (the convention of the job-scheduling literature).
inline constexpr Duration bounded_slowdown_floor = 10 * second;

/// The metrics of one run. `end`: when the run ended. Run time is finish - first start: start-up
/// and teardown are part of it. Needs one column of scratch memory (8 bytes per job).
[[nodiscard]] Metrics measure(const Plan& plan, const JobRows& rows, Duration end);

} // namespace bursar
