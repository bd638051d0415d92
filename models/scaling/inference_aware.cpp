#include "models/scaling/inference_aware.hpp"

#include <cmath>

#include "models/errors/four_digits.hpp"
#include "models/errors/model_error.hpp"
#include "models/errors/require_positive.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/golden_section.hpp"

namespace bursar {
namespace {

constexpr double seconds_per_hour = 3600;

void require_demand(const char* parameter, Tokens tokens) {
    if (!(tokens.count() >= 0) || std::isinf(tokens.count()))
        throw ModelError{parameter, four_digits(tokens.count()) + " is no number of tokens", {}};
}

/// USD per FLOP.
double price_per_flop(const ComputePrice& price) {
    require_positive("gpu_price", price.usd_per_gpu_hour);
    require_positive("peak", price.peak.count());
    require_positive("mfu", price.utilisation);
    if (price.utilisation > 1)
        throw ModelError{"mfu",
                         four_digits(price.utilisation) + " is more than all of the peak",
                         "give a fraction, such as 0.4"};
    return price.usd_per_gpu_hour / seconds_per_hour / (price.peak.count() * price.utilisation);
}

} // namespace

Allocation inference_aware_optimal(const LossSurface& surface, double target, Tokens served) {
    require_demand("inference_tokens", served);
    const Allocation cheapest = cheapest_for_loss(surface, target);
    if (served.count() == 0)
        return cheapest;
    // Serving only ever asks for a smaller model; the smallest one takes endless training.
    const auto run_of = [&](double log_params) {
        const Parameters params{std::exp(log_params)};
        return Allocation{params, tokens_to_reach(surface, params, target)};
    };
    const double smallest = std::log(least_params(surface, target).count());
    const double largest = std::log(cheapest.params.count());
    return run_of(golden_section(smallest, largest, [&](double log_params) {
        const Allocation run = run_of(log_params);
        return std::log((training_flops(run) + inference_flops(run.params, served)).count());
    }));
}

double ComputePrice::usd(Flops work) const {
    return price_per_flop(*this) * work.count();
}

Tokens price_weighted_tokens(const ServingDemand& demand, const ComputePrice& training) {
    require_demand("inference_tokens", demand.read);
    require_demand("output_tokens", demand.written);
    const double spent = demand.read.count() * price_per_flop(demand.reading) +
                         demand.written.count() * price_per_flop(demand.writing);
    return Tokens{spent / price_per_flop(training)};
}

} // namespace bursar
