#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/min_tree.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// When waiting jobs that have run, and are past the first queue of their order, are promoted to it
/// (PromotionRule). Their waits add up from one promotion to the next, without those before they
/// have run.
///
/// Memory: 25.2 bytes per job; none without such a rule.
class StarvingJobs {
  public:
    StarvingJobs() = default;
    BURSAR_HD StarvingJobs(ArenaCarver& carver, const PlanView& plan, const PromotionRule& rule)
        : plan_{plan}, rule_{rule} {
        if (!rule.is_on())
            return;
        waited_ms_ = carver.take<std::int64_t>(plan.num_jobs);
        since_ms_ = carver.take<std::int64_t>(plan.num_jobs);
        due_ = MinTree{carver, plan.num_jobs};
    }

    BURSAR_HD void clear() {
        due_.clear();
        for (std::uint32_t job = 0; rule_.is_on() && job < plan_.num_jobs; ++job) {
            waited_ms_[job] = 0;
            since_ms_[job] = not_counted;
        }
    }

    [[nodiscard]] BURSAR_HD bool are_on() const { return rule_.is_on(); }

    /// A job that has held its GPUs for `attained_ms` since its last promotion waits again.
    BURSAR_HD void waits(JobId job, std::int64_t attained_ms, std::int64_t now_ms) {
        if (attained_ms == 0)
            return;
        since_ms_[job] = now_ms;
        if (service(job, attained_ms) < rule_.first_queue)
            return;
        const std::int64_t left_ms = rule_.factor * attained_ms - waited_ms_[job];
        due_.set(job, left_ms < 0 ? now_ms : now_ms + left_ms);
    }
    BURSAR_HD void started(JobId job, std::int64_t now_ms) {
        if (since_ms_[job] != not_counted)
            waited_ms_[job] += now_ms - since_ms_[job];
        since_ms_[job] = not_counted;
        due_.set(job, MinTree::absent);
    }

    /// When the next job is to be promoted, unless it starts; horizon_ms: none is.
    [[nodiscard]] BURSAR_HD std::int64_t next_ms() const {
        return due_.least() < horizon_ms ? due_.least() : horizon_ms;
    }
    /// Promotes the first job of the plan that is due. Precondition: next_ms() <= now_ms.
    [[nodiscard]] BURSAR_HD JobId take_next(std::int64_t now_ms) {
        const JobId job{due_.first_at_most(0, now_ms)};
        due_.set(job, MinTree::absent);
        waited_ms_[job] = 0;
        since_ms_[job] = not_counted;
        return job;
    }

  private:
    static constexpr std::int64_t not_counted = -1;

    [[nodiscard]] BURSAR_HD std::int64_t service(JobId job, std::int64_t attained_ms) const {
        JobView view;
        view.gpus = plan_.gpus(job);
        view.gpu_slots = plan_.shapes[plan_.shape[job]].gpu_slots;
        return rule_.by_time ? attained_ms : view.gpu_ms(Duration{attained_ms});
    }

    PlanView plan_;
    PromotionRule rule_{};
    std::int64_t* waited_ms_{}; ///< by job: since its last promotion, up to since_ms_
    std::int64_t* since_ms_{};  ///< by job: when the wait that counts began; or not_counted
    MinTree due_;               ///< by job
};

}} // namespace bursar::sim
