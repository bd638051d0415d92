#include "sim/record/level_effect.hpp"

#include <algorithm>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {
namespace {

/// One start of a job until its GPUs were released, or the run ended.
struct HeldStretch {
    std::size_t job{};
    std::size_t pool{};
    std::size_t level{};
    std::int64_t start_ms{};
    std::int64_t stop_ms{};
    bool finished{};
};

/// Adds up stretch by stretch what another level would have meant.
class LevelSums {
  public:
    LevelSums(const Plan& plan, const JobRows& rows) : plan_{plan}, rows_{rows} {}

    void add(const HeldStretch& held) {
        const Duration submit{plan_.submit_ms[held.job]};
        if (submit < plan_.measure_from || (plan_.measure_to && submit >= *plan_.measure_to))
            return;
        const PlanSpeed* got = plan_.speed_of(held.job, held.pool, held.level);
        if (got == nullptr)
            return;
        // On nodes as slow.
        const std::size_t narrowest = held.level - held.level % plan_.num_levels;
        const PlanSpeed* best = plan_.speed_of(held.job, held.pool, narrowest);
        const PlanSpeed* worst =
            plan_.speed_of(held.job, held.pool, narrowest + plan_.num_levels - 1);
        const int128 work = work_ms(held);
        const std::int64_t slots = plan_.shapes[plan_.shape[held.job]].slots();
        sums_.gained_slot_ms += slots * (work * got->speed / worst->speed - work);
        sums_.lost_slot_ms += slots * (work - work * got->speed / best->speed);
    }

    [[nodiscard]] const LevelEffect& sums() const { return sums_; }

  private:
    /// Time at work of a stretch, saves among it.
    [[nodiscard]] std::int64_t work_ms(const HeldStretch& held) const {
        const PlanClass& own = plan_.classes[plan_.job_class[held.job]];
        const bool first = held.start_ms == rows_.start_ms[held.job];
        const Duration lead = first ? own.startup : own.recovery;
        const Duration tail = held.finished ? own.teardown : Duration{};
        const Duration work = Duration{held.stop_ms - held.start_ms} - lead - tail;
        return std::max<std::int64_t>(0, work.count());
    }

    const Plan& plan_;
    const JobRows& rows_;
    LevelEffect sums_;
};

} // namespace

std::optional<LevelEffect> level_effect(const Plan& plan, const JobRows& rows, Duration end) {
    if (plan.num_levels == 1)
        return std::nullopt;
    LevelSums sums{plan, rows};
    for (const StoppedAttempt& stopped : rows.stopped)
        sums.add(
            {stopped.job, stopped.pool, stopped.level, stopped.start_ms, stopped.stop_ms, false});
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const bool finished = rows.phase[job] == JobPhase::finished;
        if (!finished && rows.phase[job] != JobPhase::running)
            continue;
        sums.add({job,
                  rows.pool[job],
                  rows.level[job],
                  rows.last_start(job),
                  finished ? rows.finish_ms[job] : end.count(),
                  finished});
    }
    return sums.sums();
}

}} // namespace bursar::sim
