#include "models/reliability/held_per_work.hpp"

#include <cmath>

#include "models/reliability/expected_efficiency.hpp"

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

}} // namespace bursar::models
