#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "models/market/price_series.hpp"
#include "models/units/host_device.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// A step of a price series, with the cost of one slot from the first step until this one. Two of
/// them share a cache line.
struct PriceStep {
    std::int64_t start_ms{};
    std::int64_t rate{}; ///< nano-USD per GPU-hour
    int128 before{};     ///< nano-USD per GPU-hour x ms
};

/// Where the steps of one series lie in flat arrays, and how its buckets divide its time.
struct PriceIndex {
    std::uint32_t first_step{};
    std::uint32_t num_steps{}; ///< 0: no series
    std::uint32_t first_bucket{};
    std::uint32_t num_buckets{}; ///< less than twice the steps
    std::uint8_t
        bucket_width_log{}; ///< a bucket is 2^this ms wide; the first begins with the series
};

/// The cost of holding along one price series. Prefix sums make an interval two look-ups, however
/// many steps it spans. A bucket index makes a look-up one probe on average: there are as many
/// buckets as steps, and a bucket is searched by bisection. Exact; no rounding. Pointers into the
/// arrays of PriceIntegrals; host and device.
class PriceIntegral {
  public:
    /// steps, buckets: those of all series.
    BURSAR_HD
    PriceIntegral(const PriceStep* steps, const std::uint32_t* buckets, const PriceIndex& index)
        : steps_{steps + index.first_step}, bucket_{buckets + index.first_bucket},
          num_steps_{index.num_steps}, num_buckets_{index.num_buckets},
          bucket_width_log_{index.bucket_width_log} {
        assert(num_steps_ >= 1 && num_buckets_ >= 1);
    }

    /// The price at `at`; before the first step, the first step's.
    [[nodiscard]] BURSAR_HD MoneyRate rate_at(Duration at) const {
        return MoneyRate{steps_[step_at(at.count())].rate};
    }

    /// The cost of one slot from `begin` until `end`. Negative where `end` is before `begin`, so
    /// that intervals add up.
    [[nodiscard]] BURSAR_HD Money between(Duration begin, Duration end) const {
        return Money{until(end.count()) - until(begin.count())};
    }

    /// The first step after `at`; `none` where no step follows.
    [[nodiscard]] BURSAR_HD Duration next_step(Duration at, Duration none) const {
        if (at.count() < steps_[0].start_ms) // step 0 begins later, at the same price
            return Duration{steps_[0].start_ms};
        const std::uint32_t next = step_at(at.count()) + 1;
        return next < num_steps_ ? Duration{steps_[next].start_ms} : none;
    }

  private:
    /// The step whose price holds at `at_ms`.
    [[nodiscard]] BURSAR_HD std::uint32_t step_at(std::int64_t at_ms) const {
        const std::int64_t since_first = at_ms - steps_[0].start_ms;
        if (since_first < 0)
            return 0;
        const std::uint64_t bucket = static_cast<std::uint64_t>(since_first) >> bucket_width_log_;
        if (bucket >= num_buckets_)
            return num_steps_ - 1;
        std::uint32_t low = bucket_[bucket];
        std::uint32_t high = bucket + 1 < num_buckets_ ? bucket_[bucket + 1] : num_steps_ - 1;
        while (low < high) {
            const std::uint32_t middle = low + (high - low + 1) / 2;
            if (steps_[middle].start_ms <= at_ms)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }

    /// The cost of one slot from the first step until `at_ms`, nano-USD per GPU-hour x ms.
    [[nodiscard]] BURSAR_HD int128 until(std::int64_t at_ms) const {
        const PriceStep& step = steps_[step_at(at_ms)];
        return step.before + int128{step.rate} * (at_ms - step.start_ms);
    }

    const PriceStep* steps_;
    const std::uint32_t* bucket_; ///< the step in force at the begin of each bucket
    std::uint32_t num_steps_;
    std::uint32_t num_buckets_;
    std::uint8_t bucket_width_log_;
};

/// The integrals of any number of price series in flat arrays, as a plan holds them.
struct PriceIntegrals {
    std::vector<PriceStep> steps;       ///< of every series, one after the other
    std::vector<std::uint32_t> buckets; ///< likewise; counted from the series' first step
    std::vector<PriceIndex> series;

    /// Adds `added`, which is valid, and returns its place in `series`.
    std::uint32_t add(const PriceSeries& added);

    /// The series at that place.
    [[nodiscard]] PriceSeries series_at(std::uint32_t place) const;

    /// Valid until the next one is added.
    [[nodiscard]] PriceIntegral of(std::uint32_t place) const {
        return {steps.data(), buckets.data(), series[place]};
    }
};

}} // namespace bursar::models
