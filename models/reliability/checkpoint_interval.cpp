#include "models/reliability/checkpoint_interval.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors/require.hpp"
#include "models/reliability/expected_efficiency.hpp"
#include "models/scaling/golden_section.hpp"

namespace bursar { inline namespace models {
namespace {

void check(Seconds dump, Seconds mtbf) {
    require_positive("dump", dump.count());
    require_positive("mtbf", mtbf.count());
}

} // namespace

void check(const CheckpointedRun& run) {
    check(run.checkpoint);
    require_not_negative("restart", run.restart.count());
    require_positive("mtbf", run.mtbf.count());
}

Seconds young_interval(Seconds dump, Seconds mtbf) {
    check(dump, mtbf);
    return Seconds{std::sqrt(2 * dump.count() * mtbf.count())};
}

Seconds daly_interval(Seconds dump, Seconds mtbf) {
    check(dump, mtbf);
    if (dump >= 2.0 * mtbf)
        return mtbf;
    const double x = dump.count() / (2 * mtbf.count());
    return young_interval(dump, mtbf) * (1 + std::sqrt(x) / 3 + x / 9) - dump;
}

Seconds min_interval(const CheckpointCost& cost) {
    return std::max(Seconds{}, cost.background - cost.blocking);
}

Seconds optimal_interval(const CheckpointedRun& run) {
    check(run);
    const CheckpointCost& cost = run.checkpoint;
    if (cost.blocking + cost.background <= Seconds{})
        throw ModelError{"dump", "takes no time", "then checkpoints can be as frequent as wanted"};
    // The derivative of the efficiency is negative from mtbf + 2 interference · background on.
    const double high = run.mtbf.count() + 2 * cost.interference * cost.background.count();
    const double low = std::max(min_interval(cost).count(), 1e-9 * high);
    if (low >= high)
        return Seconds{low};
    // Logarithms on both axes: an efficiency far below one must still have a slope.
    const auto loss = [&](double log_interval) {
        return -log_efficiency(run, Seconds{std::exp(log_interval)});
    };
    const Seconds inside{std::exp(golden_section(std::log(low), std::log(high), loss))};
    const bool shortest = log_efficiency(run, Seconds{low}) >= log_efficiency(run, inside);
    return shortest ? Seconds{low} : inside;
}

}} // namespace bursar::models
