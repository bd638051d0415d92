#include "scenarios/compile/training/modelled_gang.hpp"

#include <algorithm>
#include <cmath>

#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace scenarios {

std::vector<ModelledGang> modelled_gangs(const Scenario& scenario,
                                         const std::vector<TrainedGang>& trained) {
    std::vector<ModelledGang> gangs;
    for (const TrainedGang& gang : trained)
        for (const TrainedOn& on : gang.pools) {
            const double ms =
                std::min(std::ceil(on.total().count() * 1000.0), static_cast<double>(horizon_ms));
            gangs.push_back({gang.plan_class,
                             static_cast<std::uint32_t>(on.pool),
                             static_cast<std::uint32_t>(on.gpus),
                             Duration{static_cast<std::int64_t>(ms)},
                             std::string{name(*scenario.classes[gang.job_class].training.model)},
                             on.stack,
                             on.held_out_error});
        }
    return gangs;
}

}} // namespace bursar::scenarios
