#include "sim/record/checkpoint_use.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/plan/plan_view.hpp"
#include "sim/record/teardowns.hpp"

namespace bursar { inline namespace sim {
namespace {

/// A full save and the increments that build on it: since when each is kept, ms, the newest last.
using Chain = std::vector<std::int64_t>;

/// The checkpoints that a job keeps.
struct Saver {
    std::vector<Chain> kept;             ///< the newest last
    std::int64_t num_kept{};             ///< saves in them
    std::optional<std::uint16_t> region; ///< of the newest
    bool has_started{};
    bool goes_on{}; ///< its next attempt continues on the GPUs of the last one
};

/// Adds up what checkpoints take, job by job and attempt by attempt.
class UseClock {
  public:
    UseClock(const Plan& plan,
             const Outcome& outcome,
             const JobRows& jobs,
             std::span<const CheckpointStore> stores,
             std::span<const std::uint16_t> regions)
        : plan_{plan}, view_{view_of(plan)}, outcome_{outcome}, stores_{stores}, regions_{regions},
          savers_(plan.num_jobs()), saved_ms_{jobs.saved_startup_ms()} {}

    [[nodiscard]] bool keeps(std::size_t job) const { return store_of(job).bytes > 0; }

    void attempt_stopped(const StoppedAttempt& attempt) {
        start(attempt.job, attempt.pool, attempt.start_ms);
        const PlanClass& own = class_of(attempt.job);
        const std::int64_t worked_ms = attempt.kept_ms + attempt.lost_ms;
        const bool goes_on = attempt.cause == StopCause::shared; // on the same GPUs
        const bool saved_at_stop = !goes_on && !is_abrupt(attempt.cause) &&
                                   saves_at_stop(own.checkpoint, attempt.cause) && worked_ms > 0;
        if (saves_on_the_way(own.checkpoint)) {
            const WorkPattern pattern =
                view_.pattern(plan_.job_class[attempt.job], PoolId{attempt.pool});
            const std::int64_t lasted_ms =
                saved_at_stop ? pattern.at_work(pattern.saved(pattern.elapsed(worked_ms)))
                              : attempt.kept_ms;
            save_on_the_way(attempt.job,
                            attempt.pool,
                            work_begin(attempt.job, attempt.start_ms),
                            lasted_ms / interval_of(attempt.job, attempt.pool));
        }
        if (saved_at_stop)
            save(attempt.job, attempt.stop_ms, Part::whole);
        savers_[attempt.job].has_started = true;
        savers_[attempt.job].goes_on = goes_on;
    }

    /// The last attempt of a job, whose work ended, or still runs, at `until_ms`.
    void attempt_left(std::size_t job,
                      std::uint16_t pool,
                      std::int64_t start_ms,
                      std::int64_t until_ms) {
        start(job, pool, start_ms);
        const std::int64_t begin_ms = work_begin(job, start_ms);
        const std::int64_t offset = until_ms - begin_ms - 1; // no save where the work ends
        if (!saves_on_the_way(class_of(job).checkpoint) || offset <= 0)
            return;
        const WorkPattern pattern = view_.pattern(plan_.job_class[job], PoolId{pool});
        save_on_the_way(
            job, pool, begin_ms, pattern.at_work(pattern.saved(offset)) / interval_of(job, pool));
    }

    /// Deletes the checkpoints of a job after its last attempt. end_ms: absent if it has not ended.
    void leave(std::size_t job, std::optional<std::int64_t> end_ms) {
        const std::int64_t run_end_ms = outcome_.end.count();
        const std::int64_t until_ms =
            end_ms ? std::min(*end_ms + store_of(job).retain.count(), run_end_ms) : run_end_ms;
        while (!savers_[job].kept.empty())
            drop_oldest(job, until_ms);
    }

    [[nodiscard]] const CheckpointUse& use() const { return use_; }

  private:
    enum class Part : std::uint8_t { whole, increment };

    [[nodiscard]] const CheckpointStore& store_of(std::size_t job) const {
        return stores_[plan_.job_class[job]];
    }
    [[nodiscard]] const PlanClass& class_of(std::size_t job) const {
        return plan_.classes[plan_.job_class[job]];
    }
    [[nodiscard]] std::int64_t interval_of(std::size_t job, std::uint16_t pool) const {
        const PlanSpeed* speed = plan_.speed_of(job, pool);
        return speed == nullptr || speed->interval_ms == 0 ? class_of(job).interval.count()
                                                           : speed->interval_ms;
    }
    [[nodiscard]] std::int64_t work_begin(std::size_t job, std::int64_t start_ms) const {
        const PlanClass& own = class_of(job);
        if (savers_[job].has_started)
            return start_ms + own.recovery.count();
        return start_ms + own.startup.count() - (saved_ms_.empty() ? 0 : saved_ms_[job]);
    }
    [[nodiscard]] bool is_measured(std::int64_t time_ms) const {
        return time_ms >= outcome_.window_begin.count() && time_ms < outcome_.window_end.count();
    }

    void start(std::size_t job, std::uint16_t pool, std::int64_t start_ms) {
        Saver& saver = savers_[job];
        if (saver.region && !saver.goes_on && is_measured(start_ms)) {
            const std::int64_t num_parts = std::ssize(saver.kept.back());
            const int128 bytes =
                store_of(job).bytes + int128{num_parts - 1} * store_of(job).increment_bytes;
            use_.num_read += num_parts;
            use_.bytes_read += bytes;
            if (*saver.region != regions_[pool])
                move(*saver.region, regions_[pool], bytes);
        }
        // Later saves are written to this region.
        region_ = regions_[pool];
    }

    void move(std::uint16_t from, std::uint16_t to, int128 bytes) {
        const auto is_way = [&](const BytesMoved& way) { return way.from == from && way.to == to; };
        const auto way = std::ranges::find_if(use_.moved, is_way);
        if (way == use_.moved.end())
            use_.moved.push_back({from, to, bytes});
        else
            way->bytes += bytes;
    }

    /// The first `num` saves of an attempt whose work began at `begin_ms`.
    void
    save_on_the_way(std::size_t job, std::uint16_t pool, std::int64_t begin_ms, std::int64_t num) {
        const WorkPattern pattern = view_.pattern(plan_.job_class[job], PoolId{pool});
        const PlanClass& own = class_of(job);
        const std::int64_t interval_ms = interval_of(job, pool);
        std::int64_t since_ms = 0;
        for (std::int64_t i = 0; i < num; ++i) {
            const Part part = i % own.full_every == 0 ? Part::whole : Part::increment;
            const Duration write = part == Part::whole ? own.write : own.increment_write;
            const std::int64_t end = pattern.elapsed((i + 1) * interval_ms + 1) - 1;
            // An increment is not durable before the saves that it builds on.
            since_ms = std::max(since_ms, begin_ms + end + write.count());
            save(job, since_ms, part);
        }
    }

    void save(std::size_t job, std::int64_t time_ms, Part part) {
        Saver& saver = savers_[job];
        saver.region = region_;
        use_.num_saved += is_measured(time_ms) ? 1 : 0;
        // An increment builds on the newest chain.
        const std::size_t min_chains = part == Part::whole ? 1 : 2;
        while (saver.kept.size() >= min_chains &&
               saver.num_kept - std::ssize(saver.kept.front()) + 1 >= store_of(job).keep)
            drop_oldest(job, time_ms);
        if (part == Part::whole)
            saver.kept.emplace_back();
        saver.kept.back().push_back(time_ms);
        ++saver.num_kept;
    }

    /// Deletes a whole chain: its last increment needs all the others.
    void drop_oldest(std::size_t job, std::int64_t time_ms) {
        Saver& saver = savers_[job];
        const CheckpointStore& store = store_of(job);
        const Chain chain = std::move(saver.kept.front());
        saver.kept.erase(saver.kept.begin());
        saver.num_kept -= std::ssize(chain);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const std::int64_t since_ms = chain[i];
            const bool is_whole = i == 0;
            const std::int64_t paid_to_ms = std::max(time_ms, since_ms + store.min_stay.count());
            const std::int64_t bytes = is_whole ? store.bytes : store.increment_bytes;
            // It has `bytes` while it is the newest, and `older_bytes` from the next full save on.
            const std::int64_t next_ms = saver.kept.empty() || !is_whole
                                             ? paid_to_ms
                                             : std::min(saver.kept.front().front(), paid_to_ms);
            use_.byte_ms += int128{bytes} * measured(since_ms, next_ms) +
                            int128{store.older_bytes} * measured(next_ms, paid_to_ms);
        }
    }

    /// The minimum charge of a deletion may lie after the run's end; it counts unless the window
    /// ends before.
    [[nodiscard]] std::int64_t measured(std::int64_t begin_ms, std::int64_t end_ms) const {
        const std::int64_t from_ms = std::max(begin_ms, outcome_.window_begin.count());
        const bool is_to_the_end = outcome_.window_end >= outcome_.end;
        const std::int64_t to_ms =
            is_to_the_end ? end_ms : std::min(end_ms, outcome_.window_end.count());
        return std::max<std::int64_t>(to_ms - from_ms, 0);
    }

    const Plan& plan_;
    PlanView view_;
    const Outcome& outcome_;
    std::span<const CheckpointStore> stores_;
    std::span<const std::uint16_t> regions_;
    std::vector<Saver> savers_;
    std::vector<std::int64_t> saved_ms_; ///< JobRows::saved_startup_ms()
    std::uint16_t region_{};
    CheckpointUse use_;
};

} // namespace

CheckpointUse checkpoint_use(const Plan& plan,
                             const Outcome& outcome,
                             const JobRows& jobs,
                             std::span<const CheckpointStore> stores,
                             std::span<const std::uint16_t> regions) {
    UseClock clock{plan, outcome, jobs, stores, regions};
    const Teardowns teardowns{plan, jobs};
    for (const StoppedAttempt& attempt : jobs.stopped)
        if (clock.keeps(attempt.job))
            clock.attempt_stopped(attempt);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        if (!clock.keeps(job))
            continue;
        const bool has_finished = jobs.phase[job] == JobPhase::finished;
        const bool has_ended = has_finished || jobs.phase[job] == JobPhase::dropped;
        const std::int64_t end_ms = has_ended ? jobs.finish_ms[job] : outcome.end.count();
        if (has_finished || jobs.phase[job] == JobPhase::running)
            clock.attempt_left(job,
                               jobs.pool[job],
                               jobs.last_start(job),
                               has_finished ? end_ms - teardowns.of(job).count() : end_ms);
        clock.leave(job, has_ended ? std::optional{end_ms} : std::nullopt);
    }
    return clock.use();
}

}} // namespace bursar::sim
