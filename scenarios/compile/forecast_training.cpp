#include "scenarios/compile/forecast_training.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "sim/engine/nodes/ideal_run.hpp"

#include "scenarios/compile/compiled/fleet_plan.hpp"
#include "scenarios/compile/jobs/job_rules.hpp"
#include "scenarios/compile/places/locality_plan.hpp"

namespace bursar { inline namespace scenarios {

TrainingForecast
forecast_training(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace) {
    Plan plan;
    Labels labels;
    plan_fleet(scenario, plan, labels);
    const LocalityPlan places{scenario, catalogue, plan, labels};
    plan.classes = plan_classes(scenario);
    const JobRules rules{scenario, catalogue, trace, plan};
    TrainedClasses trained{scenario, catalogue, places, plan};
    TrainingForecast out;
    out.trains_all = trace.gpu_types.empty();
    std::set<std::pair<std::uint16_t, std::uint32_t>> seen;
    for (std::size_t row = 0; row < trace.size(); ++row) {
        const std::uint16_t job_class = rules.class_of(row);
        const std::uint32_t gpus = trace.gpus[row];
        if (!seen.emplace(job_class, gpus).second)
            continue;
        if (!trained.trains(job_class)) {
            out.trains_all = false;
            continue;
        }
        const std::uint64_t pools = rules.class_pools(job_class) & pools_that_hold(plan, {gpus});
        if (pools == 0)
            out.is_whole = false;
        else
            static_cast<void>(trained.gang(job_class, gpus, pools));
    }
    out.misfits = trained.findings();
    out.gangs = trained.take();
    return out;
}

}} // namespace bursar::scenarios
