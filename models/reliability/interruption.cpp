#include "models/reliability/interruption.hpp"

#include <algorithm>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/reliability/expected_efficiency.hpp"

namespace bursar { inline namespace models {

Seconds
mean_time_between_failures(const FailureRates& rates, double nodes, double preemptions_per_day) {
    require_not_negative("job_failures_per_day", rates.per_job_day);
    require_not_negative("node_failures_per_day", rates.per_node_day);
    require_positive("nodes", nodes);
    require_not_negative("preemptions_per_day", preemptions_per_day);
    const double failures = rates.per_job_day + nodes * rates.per_node_day + preemptions_per_day;
    if (!(failures > 0))
        throw ModelError{"failures", "nothing ever fails", "give a rate above zero"};
    return Seconds{seconds_per_day / failures};
}

NoticedInterruption
noticed_interruption(const CheckpointedRun& run, Seconds interval, Seconds notice) {
    check(run);
    check_interval(run.checkpoint, interval);
    require_not_negative("notice", notice.count());
    const Seconds dump = run.checkpoint.blocking;
    const Seconds durable = dump + run.checkpoint.background;
    if (notice > Seconds{} && notice >= durable)
        return {true, Seconds{}, dump + run.restart};
    const Seconds lost = (interval + dump) / 2.0 + run.checkpoint.background;
    return {false, lost, lost + run.restart};
}

OutageCost outage_cost(const Outage& outage) {
    require_not_negative("until_replaced", outage.until_replaced.count());
    require_not_negative("restart", outage.restart.count());
    require_not_negative("reshard", outage.reshard.count());
    require_positive("full_step", outage.full_step.count());
    require_positive("reduced_step", outage.reduced_step.count());
    if (outage.reduced_step < outage.full_step)
        throw ModelError{"reduced_step", "is faster than the full step", "give fewer replicas"};
    const Seconds reduced = std::max(Seconds{}, outage.until_replaced - outage.reshard);
    return {outage.until_replaced + outage.restart,
            outage.reshard * 2.0 + reduced * (1 - outage.full_step / outage.reduced_step)};
}

}} // namespace bursar::models
