#include "models/convergence/successive_halving.hpp"

#include <string>

#include "models/errors/model_error.hpp"
#include "models/errors/require_positive.hpp"

namespace bursar {

double HalvingPlan::cost() const {
    double sum = 0;
    for (const Rung& rung : rungs)
        sum += static_cast<double>(rung.trials) * rung.resource;
    return sum;
}

HalvingPlan successive_halving(std::int64_t trials, double resource, std::int64_t eta) {
    if (trials < 1)
        throw ModelError{"trials", std::to_string(trials) + " is less than one", {}};
    require_positive("resource", resource);
    if (eta < 2)
        throw ModelError{"eta",
                         "keeping one trial in " + std::to_string(eta) + " stops none",
                         "give at least 2"};
    HalvingPlan plan;
    for (; trials >= 1; trials /= eta) { // floor(floor(n / eta) / eta) = floor(n / eta^2)
        plan.rungs.push_back({trials, resource});
        resource *= static_cast<double>(eta);
    }
    return plan;
}

} // namespace bursar
