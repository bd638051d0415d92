#include "models/market/price_integral.hpp"

#include <cassert>
#include <cstddef>

namespace bursar { inline namespace models {

namespace {

/// The narrowest power of two that divides `span_ms` into less than twice `num_steps` buckets.
std::uint8_t width_log(std::int64_t span_ms, std::size_t num_steps) {
    std::uint8_t log = 0;
    while ((static_cast<std::uint64_t>(span_ms) >> log) + 1 >= 2 * num_steps)
        ++log;
    return log;
}

} // namespace

std::uint32_t PriceIntegrals::add(const PriceSeries& added) {
    assert(added.is_valid());
    const std::int64_t first_ms = added.start_ms.front();
    const std::int64_t span_ms = added.start_ms.back() - first_ms;
    PriceIndex index;
    index.first_step = static_cast<std::uint32_t>(steps.size());
    index.num_steps = static_cast<std::uint32_t>(added.size());
    index.first_bucket = static_cast<std::uint32_t>(buckets.size());
    index.bucket_width_log = width_log(span_ms, added.size());
    index.num_buckets = static_cast<std::uint32_t>(span_ms >> index.bucket_width_log) + 1;

    int128 before = 0;
    for (std::size_t i = 0; i < added.size(); ++i) {
        if (i > 0)
            before += int128{added.rate[i - 1]} * (added.start_ms[i] - added.start_ms[i - 1]);
        steps.push_back({added.start_ms[i], added.rate[i], before});
    }
    std::uint32_t step = 0;
    for (std::int64_t bucket = 0; bucket < index.num_buckets; ++bucket) {
        const std::int64_t begin_ms = first_ms + (bucket << index.bucket_width_log);
        while (step + 1 < index.num_steps && added.start_ms[step + 1] <= begin_ms)
            ++step;
        buckets.push_back(step);
    }
    series.push_back(index);
    return static_cast<std::uint32_t>(series.size() - 1);
}

PriceSeries PriceIntegrals::series_at(std::uint32_t place) const {
    const PriceIndex& index = series[place];
    PriceSeries out;
    for (std::size_t step = 0; step < index.num_steps; ++step) {
        out.start_ms.push_back(steps[index.first_step + step].start_ms);
        out.rate.push_back(steps[index.first_step + step].rate);
    }
    return out;
}

}} // namespace bursar::models
