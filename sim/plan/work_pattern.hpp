#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/plan.hpp"

namespace bursar::inline sim {

/// How an attempt divides its time between work and saving, and what of it a stop leaves: closed
/// forms of the time since its work began (`offset`, ms, 0 .. elapsed(work)), so that no save is an
/// event.
///
/// Checkpoint::every: work for `interval`, save, work, ... and no save where the work ends.
class WorkPattern {
  public:
    BURSAR_HD explicit WorkPattern(const PlanClass& job_class)
        : checkpoint_{job_class.checkpoint}, interval_ms_{job_class.interval.count()},
          save_ms_{job_class.save.count()} {}

    /// Time from the beginning of `work_ms` at work to its end.
    [[nodiscard]] BURSAR_HD std::int64_t elapsed(std::int64_t work_ms) const {
        if (checkpoint_ != Checkpoint::every || work_ms == 0)
            return work_ms;
        return work_ms + (work_ms - 1) / interval_ms_ * save_ms_;
    }

    /// Time at work within the first `offset`; the rest went into saving.
    [[nodiscard]] BURSAR_HD std::int64_t at_work(std::int64_t offset) const {
        if (checkpoint_ != Checkpoint::every)
            return offset;
        const std::int64_t rest = offset % (interval_ms_ + save_ms_);
        return offset / (interval_ms_ + save_ms_) * interval_ms_ +
               (rest < interval_ms_ ? rest : interval_ms_);
    }

    /// The offset up to which all that was done survives if the attempt is preempted at `offset`.
    [[nodiscard]] BURSAR_HD std::int64_t durable(std::int64_t offset) const {
        switch (checkpoint_) {
        case Checkpoint::on_preempt:
            return offset;
        case Checkpoint::none:
            return 0;
        case Checkpoint::every:
            return offset - offset % (interval_ms_ + save_ms_);
        }
        return 0;
    }

    /// The offset up to which all that was done survives if nobody gets to save at `offset`.
    [[nodiscard]] BURSAR_HD std::int64_t saved(std::int64_t offset) const {
        return checkpoint_ == Checkpoint::every ? durable(offset) : 0;
    }

    /// How long an attempt preempted at `offset` holds its GPUs to save its state: not at all where
    /// it has done nothing yet.
    [[nodiscard]] BURSAR_HD std::int64_t last_save(std::int64_t offset) const {
        return checkpoint_ == Checkpoint::on_preempt && offset > 0 ? save_ms_ : 0;
    }

  private:
    Checkpoint checkpoint_;
    std::int64_t interval_ms_;
    std::int64_t save_ms_;
};

} // namespace bursar::inline sim
