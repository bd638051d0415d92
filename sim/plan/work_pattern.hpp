#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/plan.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

/// How an attempt divides its time between work and saves, and how much survives a stop. All are
/// closed forms of the time since its work began (`offset`, ms, 0 .. elapsed(work)), so that saves
/// need no events.
///
/// Saves at intervals: work for an interval, save, work, ... with no save where the work ends. The
/// first of `full_every` saves is a full one; the others are increments, which hold the changes
/// since the save before. Writes run in parallel with the work and with each other. A save is
/// durable when it and all saves back to its full one are written. Functions for saves at intervals
/// are out of line: most jobs make none, and the loop stays small.
class WorkPattern {
  public:
    /// job_class: outlives this. interval_ms: > 0 where the class saves on the way; not read
    /// otherwise.
    BURSAR_HD WorkPattern(const PlanClass& job_class, std::int64_t interval_ms)
        : class_{&job_class}, interval_ms_{interval_ms} {}

    /// Time that `work_ms` at work take, with the saves in between.
    [[nodiscard]] BURSAR_HD std::int64_t elapsed(std::int64_t work_ms) const {
        return saves() ? elapsed_saving(*this, work_ms) : work_ms;
    }

    /// Time at work within the first `offset`; the rest are saves.
    [[nodiscard]] BURSAR_HD std::int64_t at_work(std::int64_t offset) const {
        return saves() ? at_work_saving(*this, offset) : offset;
    }

    /// The offset up to which work is durable at `offset`, without a save at the stop.
    [[nodiscard]] BURSAR_HD std::int64_t saved(std::int64_t offset) const {
        return saves() ? last_durable(*this, offset) : 0;
    }

    /// The offset up to which work survives a stop at `offset`.
    [[nodiscard]] BURSAR_HD std::int64_t survives(std::int64_t offset, StopCause cause) const {
        return !is_abrupt(cause) && saves_at_stop(class_->checkpoint, cause) ? offset
                                                                             : saved(offset);
    }

    /// How long an attempt that is stopped at `offset`, not abruptly, holds its GPUs to save its
    /// state; 0 if it has done nothing since the last durable save.
    [[nodiscard]] BURSAR_HD std::int64_t last_save(std::int64_t offset, StopCause cause) const {
        if (!saves_at_stop(class_->checkpoint, cause) || at_work(offset) == at_work(saved(offset)))
            return 0;
        return (class_->save + class_->write).count();
    }

  private:
    [[nodiscard]] BURSAR_HD bool saves() const {
        return __builtin_expect(saves_on_the_way(class_->checkpoint), 0) != 0;
    }

    /// The number of saves completed at an offset, and the time since the last one.
    struct SavedUpTo {
        std::int64_t num_saves{};
        std::int64_t since_ms{};
    };
    [[nodiscard]] BURSAR_HD SavedUpTo last_save_before(std::int64_t offset) const {
        const std::int64_t first_ms = interval_ms_ + class_->save.count();
        const std::int64_t full_every = class_->full_every;
        if (full_every == 1)
            return {offset / first_ms, offset % first_ms};
        const std::int64_t next_ms = interval_ms_ + class_->increment.count();
        const std::int64_t round_ms = first_ms + (full_every - 1) * next_ms;
        const std::int64_t num_saves = offset / round_ms * full_every;
        const std::int64_t rest_ms = offset % round_ms;
        if (rest_ms < first_ms)
            return {num_saves, rest_ms};
        return {num_saves + 1 + (rest_ms - first_ms) / next_ms, (rest_ms - first_ms) % next_ms};
    }

    /// Time that the first `num_saves` take.
    [[nodiscard]] BURSAR_HD std::int64_t saving(std::int64_t num_saves) const {
        const std::int64_t full_every = class_->full_every;
        const std::int64_t num_full = (num_saves + full_every - 1) / full_every;
        return num_full * class_->save.count() + (num_saves - num_full) * class_->increment.count();
    }

    [[gnu::cold, gnu::noinline]] BURSAR_HD static std::int64_t
    elapsed_saving(WorkPattern pattern, std::int64_t work_ms) {
        return work_ms == 0 ? 0 : work_ms + pattern.saving((work_ms - 1) / pattern.interval_ms_);
    }
    [[gnu::cold, gnu::noinline]] BURSAR_HD static std::int64_t at_work_saving(WorkPattern pattern,
                                                                              std::int64_t offset) {
        const SavedUpTo last = pattern.last_save_before(offset);
        const std::int64_t interval_ms = pattern.interval_ms_;
        return last.num_saves * interval_ms +
               (last.since_ms < interval_ms ? last.since_ms : interval_ms);
    }
    /// The end of the last save that ended at least `written_ms` before `offset`; 0: none.
    [[nodiscard]] BURSAR_HD std::int64_t last_written(std::int64_t offset,
                                                      std::int64_t written_ms) const {
        const std::int64_t written = offset - written_ms;
        return written < 0 ? 0 : written - last_save_before(written).since_ms;
    }
    [[gnu::cold, gnu::noinline]] BURSAR_HD static std::int64_t last_durable(WorkPattern pattern,
                                                                            std::int64_t offset) {
        const PlanClass& own = *pattern.class_;
        if (own.write == own.increment_write || own.full_every == 1)
            return pattern.last_written(offset, own.write.count());
        // The last written increment of the last written full save. Increments take no longer to
        // write than a full save, so those before it are written.
        const std::int64_t first_ms = pattern.interval_ms_ + own.save.count();
        const std::int64_t rest_ms =
            (own.full_every - 1) * (pattern.interval_ms_ + own.increment.count());
        const std::int64_t since_ms = offset - own.write.count() - first_ms;
        if (since_ms < 0)
            return 0;
        const std::int64_t full = first_ms + since_ms / (first_ms + rest_ms) * (first_ms + rest_ms);
        const std::int64_t increment = pattern.last_written(offset, own.increment_write.count());
        return increment < full + rest_ms ? increment : full + rest_ms;
    }

    const PlanClass* class_;
    std::int64_t interval_ms_;
};

}} // namespace bursar::sim
