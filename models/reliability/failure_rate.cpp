#include "models/reliability/failure_rate.hpp"

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"

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

}} // namespace bursar::models
