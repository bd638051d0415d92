#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The progress of a job before its next attempt, or before the running one.
struct Progress {
    std::int64_t work_left_ms{};   ///< at reference speed
    std::int64_t attained_ms{};    ///< time it has held GPUs before it was stopped
    std::int64_t delay_ms{};       ///< start-up or recovery of its next attempt
    std::uint32_t num_stopped{};   ///< number of stops, of any cause
    std::uint32_t num_preempted{}; ///< of these, by a policy
    std::uint32_t provisional{};   ///< a list of ProvisionalWork
    bool starts_up{};              ///< delay_ms is the rest of the start-up of its first attempt
};

/// The progress of stopped jobs: a record for each, from its first stop to its end, found by job. 4
/// bytes per job of the plan and 40 per record; nothing if attempts cannot be stopped.
class CarriedJobs {
  public:
    CarriedJobs() = default;
    /// capacity: most records at once; 0: attempts cannot be stopped.
    BURSAR_HD CarriedJobs(ArenaCarver& carver, const PlanView& plan, std::uint32_t capacity)
        : plan_{plan}, capacity_{capacity},
          place_{carver.take<std::uint32_t>(capacity == 0 ? 0 : plan.num_jobs)},
          records_{carver.take<Progress>(capacity)} {}

    BURSAR_HD void clear() {
        num_used_ = 0;
        first_free_ = none;
        for (std::uint32_t job = 0; capacity_ > 0 && job < plan_.num_jobs; ++job)
            place_[job] = none;
    }

    /// Whether a job has been stopped.
    [[nodiscard]] BURSAR_HD bool has(JobId job) const {
        return capacity_ > 0 && place_[job] != none;
    }
    /// The progress of a job; that at arrival if it was never stopped.
    [[nodiscard, gnu::always_inline]] BURSAR_HD Progress of(JobId job) const {
        if (has(job))
            return records_[place_[job]];
        const std::int64_t startup_ms = plan_.classes[plan_.job_class[job]].startup.count();
        return {plan_.work_ms[job], 0, startup_ms};
    }

    /// Whether one more job may be stopped for the first time.
    [[nodiscard]] BURSAR_HD bool full() const {
        return first_free_ == none && num_used_ == capacity_;
    }
    /// The record of a stopped job, for changes. Precondition: has(job), or not full().
    [[nodiscard, gnu::always_inline]] BURSAR_HD Progress& record_of(JobId job) {
        if (place_[job] == none) {
            const Progress before = of(job);
            place_[job] = new_record();
            records_[place_[job]] = before;
        }
        return records_[place_[job]];
    }
    /// Drops the record of a job that has ended; also valid if it was never stopped.
    BURSAR_HD void drop(JobId job) {
        if (!has(job))
            return;
        records_[place_[job]].provisional = first_free_;
        first_free_ = place_[job];
        place_[job] = none;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffffU;

    BURSAR_HD std::uint32_t new_record() {
        assert(!full());
        const std::uint32_t record = first_free_;
        if (record == none)
            return num_used_++;
        first_free_ = records_[record].provisional;
        return record;
    }

    PlanView plan_;
    std::uint32_t capacity_{};
    std::uint32_t* place_{};   ///< job -> its record, or none
    Progress* records_{};      ///< in an unused one, `provisional` is the next unused
    std::uint32_t num_used_{}; ///< records that were ever used
    std::uint32_t first_free_{none};
};

}} // namespace bursar::sim
