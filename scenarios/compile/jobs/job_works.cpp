#include "scenarios/compile/jobs/job_works.hpp"

#include "sim/engine/nodes/ideal_run.hpp"

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Finding wrong_duration(const ListedRow& listed, bool trains) {
    Finding finding = trains ? mistake("cannot be combined with a model",
                                       "its class trains a model, which determines the run time",
                                       "remove it")
                             : mistake("missing", "the job's class trains no model");
    finding.place = listed.job->place;
    finding.path = listed.path() + ".duration";
    return finding;
}

} // namespace

std::optional<JobWork> JobWorks::of(std::uint32_t row, std::uint16_t job_class) {
    const bool trains = trained_.trains(job_class);
    const std::optional<ListedRow> listed = listed_.at(row);
    if (listed && listed->job->duration.has_value() == trains) {
        if (listed->is_first)
            wrong_durations_.push_back(wrong_duration(*listed, trains));
        return std::nullopt;
    }
    return with_gpus(row, job_class, trace_.gpus[row]);
}

std::optional<JobWork>
JobWorks::with_gpus(std::uint32_t row, std::uint16_t job_class, std::uint32_t gpus) {
    if (!trained_.trains(job_class)) {
        RunKind kind = kinds_.of(row, job_class);
        kind.gpus = gpus;
        const PlannedRuns planned = speeds_.of(kind);
        return JobWork{planned.plan_class, trace_.duration_ms[row], planned.permitted, kind};
    }
    const TrainedGang& gang =
        trained_.gang(job_class,
                      gpus,
                      rules_.class_pools(job_class) & pools_that_hold(plan_, {gpus}),
                      gpus == trace_.gpus[row]);
    if (gang.permitted == 0)
        return std::nullopt;
    return JobWork{gang.plan_class, gang.work_ms, gang.permitted, {}};
}

void JobWorks::throw_if_wrong() const {
    std::vector<Finding> wrong = trained_.findings();
    wrong.insert(wrong.end(), wrong_durations_.begin(), wrong_durations_.end());
    if (!wrong.empty())
        throw ScenarioError{std::move(wrong)};
}

}} // namespace bursar::scenarios
