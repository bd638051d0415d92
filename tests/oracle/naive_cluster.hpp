#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"
#include "tests/oracle/naive_job.hpp"
#include "tests/oracle/naive_job_state.hpp"

namespace bursar::oracle {

/// Jobs, GPUs, the clock and the bookings. It makes no decisions.
class Cluster {
  public:
    Cluster(std::vector<Request> of_users,
            std::vector<Pool> of_owner,
            CapacityRule capacity,
            PlacementRule placement,
            RestartRule restart)
        : requests{std::move(of_users)}, pools{std::move(of_owner)}, jobs(requests.size()),
          pool_is_shut_for(pools.size()), job_is_barred_for(jobs.size()), capacity_{capacity},
          placement_{placement}, restart_{restart} {
        for (const Pool& pool : pools)
            free.emplace_back(pool, capacity);
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            asked_.push_back(requests[job].gpus);
            jobs[job].work_left_ms = requests[job].work_ms;
            jobs[job].restart_left = requests[job].startup_ms;
        }
        history.first_start_ms.resize(jobs.size(), -1);
        history.eligible_ms.resize(jobs.size(), -1);
        history.finish_ms.resize(jobs.size(), -1);
        history.dropped_ms.resize(jobs.size(), -1);
        history.num_preemptions.resize(jobs.size());
        history.promised_ms.resize(jobs.size(), -1);
        history.idle.resize(pools.size());
        history.held.resize(pools.size());
        history.booting.resize(pools.size());
        history.spare.resize(pools.size());
        history.offline.resize(pools.size());
        history.unlaunched.resize(pools.size());
        history.nodes.resize(pools.size());
    }

    [[nodiscard]] std::vector<std::size_t> jobs_in(Phase phase) const {
        std::vector<std::size_t> found;
        for (std::size_t job = 0; job < jobs.size(); ++job)
            if (jobs[job].phase == phase)
                found.push_back(job);
        return found;
    }
    [[nodiscard]] bool holds_gpus(std::size_t job) const {
        return jobs[job].phase == Phase::running || jobs[job].phase == Phase::stopped;
    }

    /// When a job is submitted and those that it needs have ended; absent: not known yet.
    [[nodiscard]] std::optional<std::int64_t> eligible_ms(std::size_t job) const {
        const Request& request = requests[job];
        std::int64_t from = request.submit_ms;
        for (const std::size_t other : request.after) {
            const bool is_dropped = jobs[other].phase == Phase::dropped;
            if (is_dropped ? request.needs_completion : jobs[other].phase != Phase::done)
                return std::nullopt;
            from = std::max(from,
                            (is_dropped ? history.dropped_ms : history.finish_ms)[other] +
                                request.think_ms);
        }
        return request.waits_forever ? std::nullopt : std::optional{from};
    }

    /// Time the job has held its GPUs so far.
    [[nodiscard]] std::int64_t attained_ms(std::size_t job) const {
        const JobState& state = jobs[job];
        return state.held_ms + (state.phase == Phase::running ? now_ms - state.start_ms : 0);
    }

    /// Believed reference work left since the last durable state.
    [[nodiscard]] std::int64_t believed_left_ms(std::size_t job) const {
        const std::int64_t done = requests[job].work_ms - jobs[job].work_left_ms;
        return std::max<std::int64_t>(requests[job].believed_work_ms() - done, 0);
    }

    /// Believed time until the job's work ends if it starts now, at full speed: start-up or
    /// recovery, the work left and the saves in between. It falls with time while the job runs.
    [[nodiscard]] std::int64_t remaining_ms(std::size_t job) const {
        const JobState& state = jobs[job];
        if (state.phase == Phase::running)
            return std::max<std::int64_t>(state.remaining_at_start_ms - (now_ms - state.start_ms),
                                          0);
        return length(job, believed_left_ms(job), requests[job].interval_ms) -
               requests[job].teardown_ms;
    }
    /// The same for a waiting job, at the pool's speed.
    [[nodiscard]] std::int64_t needed_ms(std::size_t job, std::size_t pool) const {
        return believed_length(job, pool) - requests[job].teardown_ms;
    }

    /// When a running job fails by its own fault, if it works until then.
    [[nodiscard]] std::optional<std::int64_t> fails_ms(std::size_t job) const {
        const JobState& state = jobs[job];
        const std::optional<Failing>& failing = requests[job].failing;
        if (state.phase != Phase::running || !failing || failing->per_ms[state.pool] == 0)
            return std::nullopt;
        const std::int64_t per_ms = failing->per_ms[state.pool];
        const std::int64_t left = failing->wear(state.num_failures) - state.wear;
        const std::int64_t at = state.start_ms + (left + per_ms - 1) / per_ms;
        return at < work_end_ms(job) ? std::optional{at} : std::nullopt;
    }

    /// Whether it only cleans up, and cannot be stopped any more.
    [[nodiscard]] bool work_has_ended(std::size_t job) const {
        return jobs[job].phase == Phase::running && work_end_ms(job) <= now_ms;
    }
    [[nodiscard]] std::int64_t work_end_ms(std::size_t job) const {
        return jobs[job].release_ms - requests[job].teardown_ms;
    }
    [[nodiscard]] bool can_be_stopped(std::size_t job) const {
        return jobs[job].phase == Phase::running && !work_has_ended(job);
    }

    [[nodiscard]] bool pool_is_shut(std::size_t pool) const {
        return !pool_is_shut_for[pool].empty();
    }
    [[nodiscard]] bool job_is_barred(std::size_t job) const {
        return !job_is_barred_for[job].empty();
    }
    /// The currently permitted pools, bits as in Request::permitted_pools.
    [[nodiscard]] std::uint64_t usable_pools(std::size_t job) const {
        std::uint64_t usable = job_is_barred(job) ? 0 : requests[job].permitted_pools;
        for (std::size_t pool = 0; pool < pools.size(); ++pool)
            if (pool_is_shut(pool))
                usable &= ~(std::uint64_t{1} << pool);
        return usable;
    }
    [[nodiscard]] bool may_use(std::size_t job, std::size_t pool) const {
        return (usable_pools(job) >> pool & 1U) != 0;
    }
    [[nodiscard]] std::optional<std::vector<Share>> place_in(const FreeGpus& room,
                                                             std::size_t job) const {
        return room.find(requests[job].gpus, placement_);
    }

    [[nodiscard]] bool is_on(std::size_t job, std::size_t pool, std::size_t node) const {
        const JobState& state = jobs[job];
        return state.pool == pool &&
               std::any_of(state.shares.begin(), state.shares.end(), [&](const Share& share) {
                   return share.node == node;
               });
    }
    /// By count: the jobs that must stop if more is held than is online after leaving jobs have
    /// released theirs.
    [[nodiscard]] std::vector<std::size_t> youngest_too_many(std::size_t pool) const {
        std::int64_t open = free[pool].total();
        std::vector<std::size_t> at_work;
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            const JobState& state = jobs[job];
            if (!holds_gpus(job) || state.pool != pool)
                continue;
            if (state.phase == Phase::stopped)
                open += requests[job].gpus;
            else if (can_be_stopped(job))
                at_work.push_back(job);
        }
        std::ranges::sort(at_work, [&](std::size_t a, std::size_t b) {
            const std::int64_t start_a = jobs[a].start_ms;
            const std::int64_t start_b = jobs[b].start_ms;
            return start_a != start_b ? start_a > start_b : a > b;
        });
        std::size_t num = 0;
        for (; num < at_work.size() && open < 0; ++num)
            open += requests[at_work[num]].gpus;
        at_work.resize(num);
        return at_work;
    }
    /// Whether a running job has GPUs that end or close: by count, those of the youngest.
    [[nodiscard]] bool is_on_leaving(std::size_t job) const {
        const JobState& state = jobs[job];
        if (capacity_ == CapacityRule::count)
            return std::ranges::count(youngest_too_many(state.pool), job) > 0;
        return std::ranges::any_of(state.shares, [&](const Share& share) {
            return free[state.pool].is_offline(share.node);
        });
    }
    /// Whether GPUs of one pool have a place for a gang.
    [[nodiscard]] bool finds(const FreeGpus& room, std::int64_t gpus) const {
        return room.find(gpus, placement_).has_value();
    }

    /// The first pool in order in which a job can be placed.
    [[nodiscard]] std::optional<std::size_t> pool_in(const std::vector<FreeGpus>& room,
                                                     std::size_t job,
                                                     const std::vector<std::size_t>& order) const {
        for (const std::size_t pool : order)
            if (may_use(job, pool) && place_in(room[pool], job))
                return pool;
        return std::nullopt;
    }
    /// Whether two jobs fit in the same places, with the same order of pools: if no victims help
    /// one of them, none help the other.
    [[nodiscard]] bool are_alike(std::size_t a, std::size_t b) const {
        const Request& first = requests[a];
        const Request& second = requests[b];
        return first.gpus == second.gpus && first.permitted_pools == second.permitted_pools &&
               first.order_row == second.order_row && job_is_barred(a) == job_is_barred(b) &&
               first.cpu_milli == second.cpu_milli && first.memory_mib == second.memory_mib;
    }

    void start(std::size_t job, std::size_t pool, std::vector<Share> shares) {
        JobState& state = jobs[job];
        assert(state.phase == Phase::pending);
        state.remaining_at_start_ms = remaining_ms(job);
        state.phase = Phase::running;
        state.pool = pool;
        state.shares = std::move(shares);
        free[pool].take(state.shares);
        state.restart_left -= saved_at_start(job, pool);
        state.is_slow = std::ranges::any_of(
            state.shares, [&](const Share& share) { return pools[pool].is_slow(share.node); });
        begin_attempt(job);
    }

    /// Ends a job, and frees its GPUs.
    void finish(std::size_t job) {
        book(job);
        jobs[job].phase = Phase::done;
        history.finish_ms[job] = now_ms;
        for (const KeptWork& kept : jobs[job].kept)
            book_work(kept, requests[job].outcome);
    }

    /// The last instant at which a waiting job could start and end by its deadline, as believed:
    /// with the pool, the form and the nodes that are best; absent: it is not dropped if it can't.
    [[nodiscard]] std::optional<std::int64_t> last_start_ms(std::size_t job) const {
        const Request& request = requests[job];
        if (!request.drops_late || !request.deadline_ms)
            return std::nullopt;
        std::int64_t last = std::numeric_limits<std::int64_t>::min();
        const auto try_with = [&](std::uint64_t permitted,
                                  const std::vector<Pace>& paces,
                                  const std::vector<Pace>& slow_paces) {
            for (std::size_t pool = 0; pool < pools.size(); ++pool) {
                if ((permitted >> pool & 1U) == 0)
                    continue;
                const Pace normal = paces.empty() ? Pace{} : paces[pool];
                const std::int64_t interval = request.interval_ms > 0 && normal.interval_ms > 0
                                                  ? normal.interval_ms
                                                  : request.interval_ms;
                for (const Pace& pace : {normal, slow_paces.empty() ? normal : slow_paces[pool]}) {
                    const std::int64_t work =
                        (believed_left_ms(job) * full_speed + pace.speed - 1) / pace.speed;
                    last = std::max(last, *request.deadline_ms - length(job, work, interval));
                }
            }
        };
        const std::uint64_t own = request.fallback
                                      ? request.fallback->early | request.fallback->late
                                      : request.permitted_pools;
        try_with(own, request.paces, request.slow_paces);
        for (const Form& form : request.forms)
            try_with(form.permitted_pools, form.paces, form.slow_paces);
        return last;
    }

    /// A waiting job leaves for good; its durable work is lost.
    void drop(std::size_t job) {
        assert(jobs[job].phase == Phase::pending);
        jobs[job].phase = Phase::dropped;
        history.dropped_ms[job] = now_ms;
        for (const KeptWork& kept : jobs[job].kept)
            book_work(kept, Outcome::cancelled);
    }

    /// Ends the run for an unfinished job: its durable work counts.
    void leave_unfinished(std::size_t job) {
        for (const KeptWork& kept : jobs[job].kept)
            book_work(kept, Outcome::kept);
    }

    /// How long a running job that is stopped now holds its GPUs to save its state.
    [[nodiscard]] std::int64_t saving_ms(std::size_t job, Cause cause) const {
        const Progress progress = progress_of(job);
        const bool saves =
            requests[job].gets_saved(cause) && progress.at_work_ms > progress.durable_ms;
        return saves ? requests[job].save_ms + requests[job].write_ms : 0;
    }

    /// Stops the work of a running job; it waits once its GPUs are free, at release_ms, which may
    /// be now.
    void stop(std::size_t job, Cause cause, std::int64_t hold_ms) {
        JobState& state = jobs[job];
        assert(can_be_stopped(job));
        const std::int64_t saving = saving_ms(job, cause);
        if (cause == Cause::preempted) {
            ++state.num_preemptions;
            ++history.num_preemptions[job];
        }
        state.held_ms += now_ms - state.start_ms; // later held time is no service
        if (requests[job].failing)
            state.wear += requests[job].failing->per_ms[state.pool] * (now_ms - state.start_ms);
        if (cause == Cause::job_failed) {
            ++state.num_failures;
            state.wear = 0;
        }
        state.phase = Phase::stopped;
        state.cause = cause;
        state.stop_ms = now_ms;
        state.notice_ms.reset();
        state.release_ms = now_ms + (is_abrupt(cause) ? hold_ms : saving);
        if (cause == Cause::resized) // its rescale has the save
            state.release_ms = now_ms;
        state.believed_end_ms = state.release_ms;
    }

    /// The pace of a job that holds GPUs.
    [[nodiscard]] Pace pace_of(std::size_t job) const {
        const JobState& state = jobs[job];
        if (!state.paced_beside)
            return requests[job].pace_on(state.pool, state.is_slow);
        const Beside& beside = *requests[job].with(*state.paced_beside);
        const bool has_slow = state.is_slow && !beside.slow_paces.empty();
        return (has_slow ? beside.slow_paces : beside.paces)[state.pool];
    }

    /// From now on a running job has half of its GPUs, beside a job of that class, or all of them.
    /// What it did before is booked; nothing else changes.
    void set_pace(std::size_t job, std::optional<std::size_t> beside_class) {
        JobState& state = jobs[job];
        if (state.paced_beside == beside_class)
            return;
        state.held_ms += now_ms - state.start_ms;
        state.phase = Phase::stopped;
        state.cause = Cause::shared;
        state.stop_ms = now_ms;
        const Progress progress = book(job);
        state.restart_left -= progress.overhead_ms;
        state.work_left_ms -= progress.at_work_ms * pace_of(job).speed / full_speed;
        state.cause = Cause::none;
        state.paced_beside = beside_class;
        state.phase = Phase::running;
        run_from_now(job);
    }
    /// A pending job starts on the GPUs of a running one, and the two share them from now on.
    void start_beside(std::size_t job, std::size_t partner) {
        set_pace(partner, requests[job].of_class);
        JobState& state = jobs[job];
        state.remaining_at_start_ms = remaining_ms(job);
        state.phase = Phase::running;
        state.pool = jobs[partner].pool;
        state.shares = jobs[partner].shares;
        state.is_slow = jobs[partner].is_slow;
        state.paced_beside = requests[partner].of_class;
        state.partner = partner;
        jobs[partner].partner = job;
        begin_attempt(job);
    }

    /// Frees the GPUs of a stopped job, which waits again.
    void put_back(std::size_t job) {
        JobState& state = jobs[job];
        assert(state.phase == Phase::stopped);
        const Progress progress = book(job);
        const Request& request = requests[job];
        const bool adds_up = restart_ == RestartRule::adds_up && state.num_attempts > 1;
        const std::int64_t unused = state.restart_left - progress.overhead_ms;
        state.restart_left =
            (state.cause == Cause::resized ? request.rescale_ms : request.recovery_ms) +
            (adds_up ? unused : 0);
        state.work_left_ms -= progress.durable_ms * pace_of(job).speed / full_speed; // whole ms
        state.phase = Phase::pending;
        state.paced_beside.reset();
        set_gpus(job, asked_[job]);
    }

    /// A pending job will start with that many GPUs, of one of its forms. It asks for the same as
    /// before once it waits again.
    void set_gpus(std::size_t job, std::int64_t gpus) {
        Request& request = requests[job];
        for (const Form& form : request.forms) {
            if (form.gpus != gpus)
                continue;
            request.gpus = form.gpus;
            request.permitted_pools = form.permitted_pools;
            request.cpu_milli = form.cpu_milli;
            request.memory_mib = form.memory_mib;
            request.paces = form.paces;
            request.slow_paces = form.slow_paces;
            if (request.failing)
                request.failing->per_ms = form.failing_per_ms;
        }
    }

    /// Time at work of a running job that would survive a preemption now.
    [[nodiscard]] std::int64_t lasts_if_preempted_ms(std::size_t job) const {
        const Progress progress = progress_of(job);
        return requests[job].gets_saved(Cause::preempted) ? progress.at_work_ms
                                                          : progress.durable_ms;
    }

    /// State of the running attempt, now or when it was stopped.
    [[nodiscard]] Progress progress_of(std::size_t job) const {
        const JobState& state = jobs[job];
        const Request& request = requests[job];
        Progress out;
        std::int64_t left =
            (state.phase == Phase::stopped ? state.stop_ms : now_ms) - state.start_ms;
        out.overhead_ms = std::min(left, state.restart_left);
        left -= out.overhead_ms;
        const std::int64_t whole_work = work_time(job);
        const std::int64_t interval = interval_on(job, state.pool);
        const std::int64_t whole = left;
        std::int64_t lasts_from = 0;
        for (std::int64_t number = 0; left > 0; ++number) {
            const std::int64_t rest = whole_work - out.at_work_ms;
            const std::int64_t stretch = interval > 0 ? std::min(interval, rest) : rest;
            const std::int64_t worked = std::min(left, stretch);
            out.at_work_ms += worked;
            left -= worked;
            if (worked < stretch || out.at_work_ms == whole_work)
                break;
            const std::int64_t save = std::min(left, request.save_time(number));
            out.saving_ms += save;
            left -= save;
            if (save < request.save_time(number))
                break;
            lasts_from = request.lasts_from(number, whole - left, lasts_from);
            if (lasts_from <= whole)
                out.durable_ms = out.at_work_ms;
        }
        if (state.phase == Phase::stopped && request.gets_saved(state.cause))
            out.durable_ms = out.at_work_ms;
        out.teardown_ms = left;
        return out;
    }

    /// The time since the begin of an attempt's work up to which work is durable, at `time_ms`.
    [[nodiscard]] std::int64_t lasting_ms(std::size_t job, std::int64_t time_ms) const {
        return requests[job].lasting_ms(time_ms, interval_on(job, jobs[job].pool));
    }

    /// The believed hold of an attempt that starts on `pool`: all but the work and the nodes is
    /// known.
    [[nodiscard]] std::int64_t believed_length(std::size_t job, std::size_t pool) const {
        return believed_length(job, pool, requests[job].worst_pace_on(pool));
    }
    [[nodiscard]] std::int64_t
    believed_length(std::size_t job, std::size_t pool, const Pace& pace) const {
        return length(job,
                      (believed_left_ms(job) * full_speed + pace.speed - 1) / pace.speed,
                      interval_on(job, pool));
    }
    /// Believed time of the whole job at full speed: start-up, work and saves.
    [[nodiscard]] std::int64_t whole_job_ms(std::size_t job) const {
        const Request& request = requests[job];
        const std::int64_t work = request.believed_work_ms();
        return request.startup_ms + work + request.saving_in(work, request.interval_ms);
    }

    /// Whether other jobs may use a piece of a job once it is released.
    [[nodiscard]] bool stays_online(std::size_t job, const Share& share) const {
        return capacity_ == CapacityRule::count || jobs[job].phase == Phase::running ||
               !free[jobs[job].pool].is_offline(share.node);
    }

    void set_offline(std::size_t pool, std::size_t node, bool offline) {
        free[pool].set_offline(node, offline);
    }

    /// Time at work between saves on a pool; 0: no saves at intervals.
    [[nodiscard]] std::int64_t interval_on(std::size_t job, std::size_t pool) const {
        const std::int64_t own = requests[job].interval_ms;
        const std::int64_t there = requests[job].pace_on(pool).interval_ms;
        return own > 0 && there > 0 ? there : own;
    }
    /// The part of its start-up that a job which has taken its GPUs need not wait for.
    std::function<std::int64_t(std::size_t job, std::size_t pool)> saved_at_start{
        [](std::size_t, std::size_t) { return 0; }};
    std::vector<Request> requests;
    std::vector<Pool> pools;
    std::vector<FreeGpus> free; ///< by pool
    std::vector<JobState> jobs;
    std::int64_t now_ms{};
    History history;
    std::vector<std::set<Cause>> pool_is_shut_for;  ///< no job starts there unless empty
    std::vector<std::set<Cause>> job_is_barred_for; ///< the job does not start unless empty

  private:
    void begin_attempt(std::size_t job) {
        JobState& state = jobs[job];
        run_from_now(job);
        state.cause = Cause::none;
        state.notice_ms.reset();
        ++state.num_attempts;
        if (history.first_start_ms[job] < 0)
            history.first_start_ms[job] = now_ms;
    }
    void run_from_now(std::size_t job) {
        JobState& state = jobs[job];
        const std::int64_t believed = believed_length(job, state.pool, pace_of(job));
        state.needed_at_start_ms = believed - requests[job].teardown_ms;
        state.start_ms = now_ms;
        state.release_ms = now_ms + length(job, work_time(job), interval_on(job, state.pool));
        state.believed_end_ms = now_ms + believed;
    }
    /// A job leaves its GPUs to the one that shares them, or frees them.
    void leave_gpus(std::size_t job) {
        JobState& state = jobs[job];
        if (!state.partner)
            return free[state.pool].give_back(state.shares);
        jobs[*state.partner].partner.reset();
        state.partner.reset();
    }

    /// Time at work left on the job's pool.
    [[nodiscard]] std::int64_t work_time(std::size_t job) const {
        const std::int64_t speed = pace_of(job).speed;
        return (jobs[job].work_left_ms * full_speed + speed - 1) / speed;
    }

    [[nodiscard]] std::int64_t
    length(std::size_t job, std::int64_t work_ms, std::int64_t interval_ms) const {
        const Request& request = requests[job];
        return jobs[job].restart_left + work_ms + request.saving_in(work_ms, interval_ms) +
               request.teardown_ms;
    }

    /// Frees the GPUs and books the attempt that ends now, except its durable work.
    Progress book(std::size_t job) {
        JobState& state = jobs[job];
        const Request& request = requests[job];
        const bool was_stopped = state.phase == Phase::stopped;
        const Progress progress = progress_of(job);
        HeldSplit& sum = history.held[state.pool];
        const std::int64_t slots = request.gpus * slots_in_gpu / (state.paced_beside ? 2 : 1);
        (state.num_attempts == 1 ? sum.startup : sum.recovery) += progress.overhead_ms * slots;
        sum.checkpoint += progress.saving_ms * slots;
        sum.teardown += progress.teardown_ms * slots;
        if (was_stopped)
            (is_abrupt(state.cause) ? sum.hang : sum.checkpoint) +=
                (now_ms - state.stop_ms) * slots;
        // Durable work is kept until the job ends (book_work); the rest is lost.
        const std::int64_t kept = was_stopped ? progress.durable_ms : progress.at_work_ms;
        (is_failure(state.cause) ? sum.lost_to_failure : sum.lost_to_preemption) +=
            (progress.at_work_ms - kept) * slots;
        state.kept.push_back({state.pool, kept, slots, pace_of(job)});
        history.attempts.push_back(
            {job, state.pool, state.start_ms, now_ms, state.cause, state.shares});
        if (state.cause != Cause::shared)
            leave_gpus(job);
        return progress;
    }

    /// Stalls of lost work are lost with it.
    void book_work(const KeptWork& kept, Outcome outcome) {
        HeldSplit& sum = history.held[kept.pool];
        const std::int64_t slots = kept.slots;
        switch (outcome) {
        case Outcome::kept:
            break;
        case Outcome::failed:
            sum.lost_failed += slots * kept.ms;
            return;
        case Outcome::cancelled:
            sum.lost_cancelled += slots * kept.ms;
            return;
        case Outcome::stopped:
            sum.lost_stopped += slots * kept.ms;
            return;
        case Outcome::node_failed:
            sum.lost_to_failure += slots * kept.ms;
            return;
        }
        const Pace& pace = kept.pace;
        std::int64_t useful = slots;
        for (std::size_t stall = 0; stall < num_stalls; ++stall) {
            sum.stalled[stall] += pace.idle_slots[stall] * kept.ms;
            useful -= pace.idle_slots[stall];
        }
        sum.useful += useful * kept.ms;
    }

    CapacityRule capacity_;
    PlacementRule placement_;
    RestartRule restart_;
    std::vector<std::int64_t> asked_; ///< GPUs, by job
};

} // namespace bursar::oracle
