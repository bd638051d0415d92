#include <cstdint>
#include <stdexcept>
#include <vector>

#include <benchmark/benchmark.h>

#include "models/market/price_integral.hpp"
#include "models/random/philox.hpp"

/// What an interval along a price series costs, by the number of steps: the claim is that a million
/// cost as many instructions as ten. Intervals begin in the order of time, as the events of a run
/// do, a million in a year; `scattered` asks in any order, where a long series is not in the cache.
namespace bursar { inline namespace tools { namespace {

constexpr std::int64_t span_ms = 365 * day.count();
constexpr std::size_t num_intervals = 1 << 20;

enum class Order { of_time, scattered };

PriceSeries series_of(std::int64_t num_steps) {
    const RandomStream random{1, Stream::arrivals};
    PriceSeries series;
    for (std::int64_t i = 0; i < num_steps; ++i) {
        const std::int64_t width = span_ms / num_steps;
        const std::uint64_t step = static_cast<std::uint64_t>(i);
        series.start_ms.push_back(i * width + static_cast<std::int64_t>(random.below(
                                                  static_cast<std::uint64_t>(width), step, 0)));
        series.rate.push_back(static_cast<std::int64_t>(random.below(5'000'000'000, step, 1)));
    }
    return series;
}

std::vector<Duration> begins(Order order) {
    const RandomStream random{2, Stream::arrivals};
    std::vector<Duration> all;
    for (std::size_t i = 0; i < num_intervals; ++i)
        all.emplace_back(order == Order::of_time
                             ? static_cast<std::int64_t>(i) * span_ms / std::int64_t{num_intervals}
                             : static_cast<std::int64_t>(random.below(span_ms, i, 0)));
    return all;
}

void interval(benchmark::State& state, Order order) {
    const PriceSeries series = series_of(state.range(0));
    PriceIntegrals all;
    const PriceIntegral price = all.of(all.add(series));
    const std::vector<Duration> at = begins(order);
    Money sum{0};
    for (auto _ : state) {
        sum = Money{0};
        for (const Duration begin : at)
            sum += price.between(begin, begin + hour);
        benchmark::DoNotOptimize(sum);
    }
    // A fast wrong integral must fail: a day, step by step.
    Money slow{0};
    for (Duration t = 100 * day; t < 101 * day; t += second)
        slow += price.between(t, t + second);
    if (slow != price.between(100 * day, 101 * day) || sum.count() <= 0)
        throw std::runtime_error("intervals do not add up");
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * num_intervals));
}

BENCHMARK_CAPTURE(interval, in_order, Order::of_time)->Arg(10)->Arg(1000)->Arg(1'000'000);
BENCHMARK_CAPTURE(interval, scattered, Order::scattered)->Arg(10)->Arg(1000)->Arg(1'000'000);

} // namespace
}} // namespace bursar::tools

BENCHMARK_MAIN();
