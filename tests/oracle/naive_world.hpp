#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"
#include "tests/oracle/naive_job.hpp"

namespace bursar::oracle {

enum class Phase : std::uint8_t { coming, pending, running, saving, done };

/// How the time before an attempt's work adds up when the attempt is cut short inside it.
enum class RestartRule : std::uint8_t {
    anew,   ///< every attempt after the first begins with recovery_ms
    adds_up ///< each preemption adds recovery_ms to what is left of the last one (Helios)
};

/// A job on its way.
struct JobState {
    Phase phase{Phase::coming};
    std::int64_t work_left{};    ///< ms times full_speed, as of the last durable state
    std::int64_t restart_left{}; ///< ms before work begins, at the next start
    std::int64_t held_ms{};      ///< by attempts that were stopped, until they were
    std::int64_t num_attempts{};
    std::int64_t num_preemptions{};
    std::int64_t pending_since_ms{};
    // The attempt that runs:
    std::size_t pool{};
    std::vector<Share> shares;
    std::int64_t start_ms{};
    std::int64_t release_ms{}; ///< when it gives its GPUs back if nobody interferes
    std::int64_t remaining_at_start_ms{};
};

/// Where an attempt stands some time after its start.
struct Progress {
    std::int64_t overhead_ms{}; ///< of startup or recovery
    std::int64_t at_work_ms{};
    std::int64_t durable_ms{}; ///< of at_work_ms, if it lost its GPUs now without another save
    std::int64_t saving_ms{};
    std::int64_t teardown_ms{};
};

/// Jobs, GPUs and the clock: what can happen, and its books. It decides nothing.
class World {
  public:
    World(std::vector<Request> of_users,
          std::vector<Pool> of_owner,
          CapacityRule capacity,
          PlacementRule placement,
          RestartRule restart)
        : requests{std::move(of_users)}, pools{std::move(of_owner)}, jobs(requests.size()),
          placement_{placement}, restart_{restart} {
        for (const Pool& pool : pools)
            free.emplace_back(pool, capacity);
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            jobs[job].work_left = requests[job].work_ms * full_speed;
            jobs[job].restart_left = requests[job].startup_ms;
        }
        history.first_start_ms.resize(jobs.size(), -1);
        history.finish_ms.resize(jobs.size(), -1);
        history.num_preemptions.resize(jobs.size());
        history.promised_ms.resize(jobs.size(), -1);
        history.idle.resize(pools.size());
        history.held.resize(pools.size());
    }

    [[nodiscard]] std::vector<std::size_t> jobs_in(Phase phase) const {
        std::vector<std::size_t> found;
        for (std::size_t job = 0; job < jobs.size(); ++job)
            if (jobs[job].phase == phase)
                found.push_back(job);
        return found;
    }

    /// Time the job has held its GPUs so far.
    [[nodiscard]] std::int64_t attained_ms(std::size_t job) const {
        const JobState& state = jobs[job];
        return state.held_ms + (state.phase == Phase::running ? now_ms - state.start_ms : 0);
    }

    /// Time until the job's work ends if it gets its GPUs now, as the scheduler believes and at
    /// full speed: what comes before the work, the work left and the saves in between. While it
    /// runs this falls by the time that has passed.
    [[nodiscard]] std::int64_t remaining_ms(std::size_t job) const {
        const JobState& state = jobs[job];
        if (state.phase == Phase::running)
            return state.remaining_at_start_ms - (now_ms - state.start_ms);
        const std::int64_t left = (state.work_left + full_speed - 1) / full_speed;
        const std::int64_t done = requests[job].work_ms - left;
        const std::int64_t believed =
            std::max<std::int64_t>(requests[job].believed_work_ms() - done, 0);
        return length(job, believed) - requests[job].teardown_ms;
    }

    /// It only cleans up, and cannot be stopped any more.
    [[nodiscard]] bool work_has_ended(std::size_t job) const {
        return jobs[job].phase == Phase::running &&
               jobs[job].release_ms - requests[job].teardown_ms <= now_ms;
    }

    [[nodiscard]] std::optional<std::size_t>
    pool_for(std::size_t job, const std::vector<std::size_t>& preference) const {
        for (const std::size_t pool : preference)
            if ((requests[job].permitted_pools >> pool & 1U) != 0 &&
                free[pool].find(requests[job].gpus, placement_))
                return pool;
        return std::nullopt;
    }

    void start(std::size_t job, std::size_t pool) { start_within(job, pool, free[pool]); }

    /// Starts it on what is free in `room`, a part of what is free in the pool.
    void start_within(std::size_t job, std::size_t pool, const FreeGpus& room) {
        JobState& state = jobs[job];
        assert(state.phase == Phase::pending);
        state.remaining_at_start_ms = remaining_ms(job);
        state.phase = Phase::running;
        state.pool = pool;
        state.shares = room.find(requests[job].gpus, placement_).value();
        free[pool].take(state.shares);
        state.start_ms = now_ms;
        state.release_ms = now_ms + length_of(job);
        ++state.num_attempts;
        if (history.first_start_ms[job] < 0)
            history.first_start_ms[job] = now_ms;
    }

    /// The job's work is done: its GPUs are free.
    void finish(std::size_t job) {
        book(job, false);
        jobs[job].phase = Phase::done;
        history.finish_ms[job] = now_ms;
    }

    /// Takes a running job's GPUs. With state to be saved first, it holds them until that is done.
    void preempt(std::size_t job) {
        JobState& state = jobs[job];
        assert(state.phase == Phase::running);
        ++state.num_preemptions;
        ++history.num_preemptions[job];
        state.held_ms += now_ms - state.start_ms; // a save from now on is no service
        const Request& request = requests[job];
        if (request.saving == Saving::when_preempted && request.save_ms > 0 &&
            progress_of(job).at_work_ms > 0) {
            state.phase = Phase::saving;
            state.release_ms = now_ms + request.save_ms;
        } else {
            put_back(job);
        }
    }

    /// The job's GPUs are free and it waits again.
    void put_back(std::size_t job) {
        JobState& state = jobs[job];
        const Progress progress = book(job, true);
        const Request& request = requests[job];
        const bool adds_up = restart_ == RestartRule::adds_up && state.num_attempts > 1;
        const std::int64_t unused = state.restart_left - progress.overhead_ms;
        state.restart_left = request.recovery_ms + (adds_up ? unused : 0);
        if (request.saving == Saving::never)
            state.work_left = request.work_ms * full_speed;
        else
            state.work_left -= whole_ms(progress.durable_ms * request.pace_on(state.pool).speed);
        state.phase = Phase::pending;
        state.pending_since_ms = now_ms;
    }

    /// Of the attempt that runs or saves.
    [[nodiscard]] Progress progress_of(std::size_t job) const {
        const JobState& state = jobs[job];
        const Request& request = requests[job];
        Progress out;
        std::int64_t left = now_ms - state.start_ms;
        if (state.phase == Phase::saving) {
            out.saving_ms = request.save_ms - (state.release_ms - now_ms);
            left -= out.saving_ms;
        }
        out.overhead_ms = std::min(left, state.restart_left);
        left -= out.overhead_ms;
        const std::int64_t whole_work = work_time(job);
        if (request.saving == Saving::periodic) {
            const std::int64_t num_saves = saves_in(request, whole_work);
            const std::int64_t cycle = request.interval_ms + request.save_ms;
            const std::int64_t saved = std::min(left / cycle, num_saves);
            const std::int64_t rest = left - saved * cycle;
            const std::int64_t next =
                std::min(request.interval_ms, whole_work - saved * request.interval_ms);
            out.at_work_ms = saved * request.interval_ms + std::min(rest, next);
            out.durable_ms = saved * request.interval_ms;
            out.saving_ms = saved * request.save_ms;
            left -= out.at_work_ms + out.saving_ms;
            if (saved < num_saves)
                out.saving_ms += std::exchange(left, 0);
        } else {
            out.at_work_ms = std::min(left, whole_work);
            out.durable_ms = request.saving == Saving::when_preempted ? out.at_work_ms : 0;
            left -= out.at_work_ms;
        }
        out.teardown_ms = left;
        return out;
    }

    /// How long the attempt that starts or runs holds its GPUs if left alone.
    [[nodiscard]] std::int64_t length_of(std::size_t job) const {
        return length(job, work_time(job));
    }

    /// The same on `pool` as the scheduler believes: it knows all but the work.
    [[nodiscard]] std::int64_t believed_length(std::size_t job, std::size_t pool) const {
        const std::int64_t speed = requests[job].pace_on(pool).speed;
        const std::int64_t work = requests[job].believed_work_ms() * full_speed;
        return length(job, (work + speed - 1) / speed);
    }

    std::vector<Request> requests;
    std::vector<Pool> pools;
    std::vector<FreeGpus> free; ///< by pool
    std::vector<JobState> jobs;
    std::int64_t now_ms{};
    History history;

  private:
    /// Time at work that is left on the job's pool.
    [[nodiscard]] std::int64_t work_time(std::size_t job) const {
        const std::int64_t speed = requests[job].pace_on(jobs[job].pool).speed;
        return (jobs[job].work_left + speed - 1) / speed;
    }

    [[nodiscard]] std::int64_t length(std::size_t job, std::int64_t work_ms) const {
        const Request& request = requests[job];
        const std::int64_t saves =
            request.saving == Saving::periodic ? saves_in(request, work_ms) * request.save_ms : 0;
        return jobs[job].restart_left + work_ms + saves + request.teardown_ms;
    }

    /// What survives of an attempt is counted in whole ms of work.
    [[nodiscard]] static std::int64_t whole_ms(std::int64_t work) {
        return work / full_speed * full_speed;
    }

    /// None where the work ends.
    [[nodiscard]] static std::int64_t saves_in(const Request& request, std::int64_t work_ms) {
        return work_ms > 0 ? (work_ms - 1) / request.interval_ms : 0;
    }

    /// Frees the GPUs and books the attempt, which ends now.
    Progress book(std::size_t job, bool was_preempted) {
        const JobState& state = jobs[job];
        const Request& request = requests[job];
        const Progress progress = progress_of(job);
        HeldSplit& sum = history.held[state.pool];
        const std::int64_t slots = request.gpus * slots_in_gpu;
        (state.num_attempts == 1 ? sum.startup : sum.recovery) += progress.overhead_ms * slots;
        sum.checkpoint += progress.saving_ms * slots;
        sum.teardown += progress.teardown_ms * slots;
        // Work that a later save or the job's end made durable is its own; the rest was for
        // nothing.
        const std::int64_t kept = was_preempted ? progress.durable_ms : progress.at_work_ms;
        sum.lost_to_preemption += (progress.at_work_ms - kept) * slots;
        std::int64_t useful = slots;
        for (std::size_t stall = 0; stall < num_stalls; ++stall) {
            sum.stalled[stall] += request.pace_on(state.pool).idle_slots[stall] * kept;
            useful -= request.pace_on(state.pool).idle_slots[stall];
        }
        sum.useful += useful * kept;
        history.attempts.push_back(
            {job, state.pool, state.start_ms, now_ms, was_preempted, state.shares});
        free[state.pool].give_back(state.shares);
        return progress;
    }

    PlacementRule placement_;
    RestartRule restart_;
};

} // namespace bursar::oracle
