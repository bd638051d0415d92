#include "models/reliability/failure_rate.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors/require_positive.hpp"
#include "models/errors/require_range.hpp"

namespace bursar {
namespace {

double per_day(const FailureObservation& observed) {
    require_positive("nodes", observed.nodes);
    require_positive("mtbf", observed.mean_time.count());
    return seconds_per_day / observed.mean_time.count();
}

FailureRates fitted() {
    using published::llama3_16384_gpus;
    using published::rsc1_1024_gpus;
    using published::rsc1_16384_gpus;
    const double mean =
        std::sqrt(rsc1_16384_gpus.mean_time.count() * llama3_16384_gpus.mean_time.count());
    return fit_failure_rates(rsc1_1024_gpus, {rsc1_16384_gpus.nodes, Seconds{mean}});
}

} // namespace

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

FailureRates fit_failure_rates(const FailureObservation& small, const FailureObservation& large) {
    const double small_rate = per_day(small);
    const double large_rate = per_day(large);
    if (small.nodes == large.nodes)
        throw ModelError{"nodes", "both observations are of one size", "give two sizes"};
    const double per_node = (large_rate - small_rate) / (large.nodes - small.nodes);
    const double per_job = small_rate - small.nodes * per_node;
    if (per_node < 0 || per_job < 0)
        throw ModelError{"mtbf",
                         "no per-job and per-node rate above zero gives both observations",
                         "fit one of the two rates alone"};
    return {per_job, per_node};
}

const std::array<NamedFailureRates, 4>& published_failure_rates() {
    static const std::array<NamedFailureRates, 4> rates{{
        {"fitted",
         fitted(),
         128,
         2048,
         "per-job and per-node rate fitted here: 7.9 h at 1024 GPUs (measured, arXiv:2410.21680) "
         "and 2.36 h at 16384, the geometric mean of 1.8 h (projected there) and 3.09 h (measured, "
         "arXiv:2407.21783)"},
        {"rsc-1",
         {0, 6.5e-3},
         1,
         16384,
         "6.5 failures per 1000 node-days, 8-GPU A100 nodes, Meta RSC-1 (arXiv:2410.21680); "
         "without "
         "a per-job term: it gives 28.8 h at 1024 GPUs where 7.9 h were measured"},
        {"llama-3",
         {0, 419.0 / (54 * 2048)},
         2048,
         2048,
         "419 unexpected interruptions in 54 days on 16384 H100 (arXiv:2407.21783 section 3.3.4)"},
        {"opt-175b",
         {0, 2.0 / 124},
         124,
         124,
         "about 2 machines replaced a day of 124 nodes of 8 A100 (third-party summary of the OPT "
         "logbook) [unverified]"},
    }};
    return rates;
}

const NamedFailureRates* find_failure_rates(std::string_view name) {
    const auto& all = published_failure_rates();
    const auto* found = std::ranges::find(all, name, &NamedFailureRates::name);
    return found == all.end() ? nullptr : found;
}

std::vector<std::string> failure_rate_names() {
    std::vector<std::string> names;
    for (const NamedFailureRates& rates : published_failure_rates())
        names.emplace_back(rates.name);
    return names;
}

} // namespace bursar
