#include "reports/result/stopped_sums.hpp"

namespace bursar { inline namespace reports {

std::vector<StoppedSum> stopped_sums(const Result& result) {
    const StoppedColumns& stopped = result.stopped;
    std::vector<StoppedSum> out(stopped.size() == 0 ? 0 : result.jobs.size());
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        StoppedSum& sum = out[stopped.job[i]];
        const Duration held{stopped.stop_ms[i] - stopped.start_ms[i]};
        const std::int64_t slots = result.jobs.slots(stopped.job[i]);
        ++sum.stops;
        sum.preemptions += stopped.cause_of(i) == StopCause::preempted ? 1 : 0;
        sum.failures += is_abrupt(stopped.cause_of(i)) ? 1 : 0;
        sum.held += held;
        sum.kept += slot_time(slots, Duration{stopped.kept_ms[i]});
        sum.lost += slot_time(slots, Duration{stopped.lost_ms[i]});
        sum.stalled += slot_time(stopped.stalled(i), Duration{stopped.kept_ms[i]});
        sum.cost += result.pools[stopped.pool[i]].price.cost(
            slots, Duration{stopped.start_ms[i]}, Duration{stopped.stop_ms[i]});
        if (const auto& energy = result.pools[stopped.pool[i]].energy)
            sum.energy += energy->busy * slot_time(slots, held);
    }
    return out;
}

}} // namespace bursar::reports
