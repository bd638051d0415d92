#include "models/scaling/inference_aware.hpp"

#include <cmath>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/golden_section.hpp"

namespace bursar { inline namespace models {
namespace {

void require_demand(const char* parameter, Tokens tokens) {
    if (!(tokens.count() >= 0) || std::isinf(tokens.count()))
        throw ModelError{parameter, four_digits(tokens.count()) + " is not a number of tokens", {}};
}

} // namespace

Allocation inference_aware_optimal(const LossSurface& surface, double target, Tokens served) {
    require_demand("inference_tokens", served);
    const Allocation cheapest = cheapest_for_loss(surface, target);
    if (served.count() == 0)
        return cheapest;
    // Serving favours a smaller model; the smallest possible one needs infinite training.
    const auto run_of = [&](double log_params) {
        const Parameters params{std::exp(log_params)};
        return Allocation{params, tokens_to_reach(surface, params, target)};
    };
    const double smallest = std::log(min_params(surface, target).count());
    const double largest = std::log(cheapest.params.count());
    return run_of(golden_section(smallest, largest, [&](double log_params) {
        const Allocation run = run_of(log_params);
        return std::log(lifetime_flops(run, served).count());
    }));
}

Flops lifetime_flops(const Allocation& run, Tokens served) {
    return training_flops(run) + inference_flops(run.params, served);
}

double ComputePrice::gpu_hours(Flops work) const {
    require_positive("peak", peak.count());
    require_positive("mfu", utilisation);
    if (utilisation > 1)
        throw ModelError{"mfu",
                         four_digits(utilisation) + " is more than all of the peak",
                         "give a fraction, such as 0.4"};
    return (work / (peak * utilisation)).count() / seconds_per_hour;
}

double ComputePrice::usd(Flops work) const {
    require_positive("price", usd_per_gpu_hour);
    return gpu_hours(work) * usd_per_gpu_hour;
}

Tokens price_weighted_tokens(const ServingDemand& demand, const ComputePrice& training) {
    require_demand("inference_tokens", demand.read);
    require_demand("output_tokens", demand.written);
    const Flops token{1}; // both are per 2 N FLOP, so N cancels
    const double spent = demand.read.count() * demand.reading.usd(token) +
                         demand.written.count() * demand.writing.usd(token);
    return Tokens{spent / training.usd(token)};
}

}} // namespace bursar::models
