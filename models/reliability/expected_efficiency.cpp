#include "models/reliability/expected_efficiency.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

double held_per_work(const InterruptedWork& run) {
    if (!run.mtbf)
        return run.interval ? 1 + run.save.count() / run.interval->count() : 1;
    if (run.saves_as_it_ends && !run.interval)
        return std::exp(run.restart.count() / run.mtbf->count()) +
               run.save.count() / run.mtbf->count();
    const Seconds dump = run.interval ? run.save : Seconds{};
    return std::exp(-log_efficiency({{dump, Seconds{}, 0}, run.restart, *run.mtbf},
                                    run.interval.value_or(run.work)));
}

namespace {

/// Logarithm of e^x - 1, for x > 0 of any size.
double log_expm1(double x) {
    return x > 1 ? x + std::log1p(-std::exp(-x)) : std::log(std::expm1(x));
}

/// Mean loss of a kept interval to background writes; the first interval of a life has none.
Seconds mean_interference(const CheckpointedRun& run, Seconds interval) {
    const double cycles = (interval + run.checkpoint.blocking) / run.mtbf;
    return interference_loss(run.checkpoint, interval) * std::exp(-cycles);
}

/// Logarithm of the mean time from one kept checkpoint to the next, in seconds.
double log_time_per_interval(const CheckpointedRun& run, Seconds interval) {
    const CheckpointCost& cost = run.checkpoint;
    return std::log(run.mtbf.count()) + (run.restart + cost.background) / run.mtbf +
           log_expm1((interval + cost.blocking) / run.mtbf);
}

} // namespace

void check_interval(const CheckpointCost& cost, Seconds interval) {
    require_positive("interval", interval.count());
    // Rounding of the sum must not reject the least interval.
    if (interval.count() < min_interval(cost).count() * (1 - 1e-12))
        throw ModelError{"interval",
                         "ends before the background write of the checkpoint before is over",
                         "save less often, or write faster"};
}

Seconds interference_loss(const CheckpointCost& cost, Seconds interval) {
    return std::min(cost.background, interval) * cost.interference;
}

double log_efficiency(const CheckpointedRun& run, Seconds interval) {
    check(run);
    check_interval(run.checkpoint, interval);
    return std::log((interval - mean_interference(run, interval)).count()) -
           log_time_per_interval(run, interval);
}

TimeShares expected_shares(const CheckpointedRun& run, Seconds interval) {
    check(run);
    check_interval(run.checkpoint, interval);
    const double intervals_per_second = std::exp(-log_time_per_interval(run, interval));
    const Seconds slowed = mean_interference(run, interval);
    TimeShares shares;
    shares.useful = (interval - slowed).count() * intervals_per_second;
    shares.dump = run.checkpoint.blocking.count() * intervals_per_second;
    shares.interference = slowed.count() * intervals_per_second;
    shares.restart = -std::expm1(-(run.restart / run.mtbf));
    shares.rework =
        std::max(0.0, 1 - shares.useful - shares.dump - shares.interference - shares.restart);
    return shares;
}

Seconds time_between_checkpoints(const TimeShares& shares, Seconds interval) {
    const double kept = shares.useful + shares.interference;
    if (!(kept > 0))
        throw ModelError{"mtbf",
                         "is so short that no checkpoint is ever kept",
                         "beside the time to restart and to save"};
    return interval / kept;
}

FirstOrderWaste first_order_waste(const CheckpointedRun& run, Seconds interval) {
    check(run);
    check_interval(run.checkpoint, interval);
    const CheckpointCost& cost = run.checkpoint;
    return {cost.blocking / interval,
            (interval / 2.0 + cost.background) / run.mtbf,
            run.restart / run.mtbf,
            interference_loss(cost, interval) / interval};
}

}} // namespace bursar::models
