#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/plan.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

/// How an attempt divides its time between work and saving, and what of it a stop leaves: closed
/// forms of the time since its work began (`offset`, ms, 0 .. elapsed(work)), so that no save is an
/// event.
///
/// Saves on the way: work for an interval, save, work, ... and no save where the work ends. Of
/// `full_every` saves the first holds everything, the others what has changed since the one before.
/// A save is durable when it is written, which goes on behind the work and beside other writes, and
/// when all that it builds on are: those before it, back to the one that holds everything.
/// What saves on the way take is worked out apart: most jobs make none, and the loop stays small.
class WorkPattern {
  public:
    /// job_class: outlives this. interval_ms: > 0 where the class saves on the way; not read
    /// otherwise.
    BURSAR_HD WorkPattern(const PlanClass& job_class, std::int64_t interval_ms)
        : class_{&job_class}, interval_ms_{interval_ms} {}

    /// Time from the beginning of `work_ms` at work to its end.
    [[nodiscard]] BURSAR_HD std::int64_t elapsed(std::int64_t work_ms) const {
        return saves() ? elapsed_saving(*this, work_ms) : work_ms;
    }

    /// Time at work within the first `offset`; the rest went into saving.
    [[nodiscard]] BURSAR_HD std::int64_t at_work(std::int64_t offset) const {
        return saves() ? at_work_saving(*this, offset) : offset;
    }

    /// The offset up to which all that was done survives without a save at `offset`.
    [[nodiscard]] BURSAR_HD std::int64_t saved(std::int64_t offset) const {
        return saves() ? last_durable(*this, offset) : 0;
    }

    /// The offset up to which all that was done survives a stop at `offset`.
    [[nodiscard]] BURSAR_HD std::int64_t survives(std::int64_t offset, StopCause cause) const {
        return !is_abrupt(cause) && saves_at_stop(class_->checkpoint, cause) ? offset
                                                                             : saved(offset);
    }

    /// How long an attempt that is stopped at `offset`, and not abruptly, holds its GPUs until its
    /// state is durable: not at all where nothing was done since it was.
    [[nodiscard]] BURSAR_HD std::int64_t last_save(std::int64_t offset, StopCause cause) const {
        if (!saves_at_stop(class_->checkpoint, cause) || at_work(offset) == at_work(saved(offset)))
            return 0;
        return (class_->save + class_->write).count();
    }

  private:
    [[nodiscard]] BURSAR_HD bool saves() const {
        return __builtin_expect(saves_on_the_way(class_->checkpoint), 0) != 0;
    }

    /// The saves that are over at an offset, and the time since.
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
    /// The end of the last save that `written_ms` have passed since, at `offset`; 0: none.
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
        // Of the last full save that is written, the last increment that is, too: as they take no
        // longer to write, those before it are.
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
