#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/record/run_watcher.hpp"

namespace bursar::test {

/// An attempt, as reported by the engine.
struct LoggedAttempt {
    std::uint32_t job{};
    std::uint32_t pool{};
    std::uint32_t level{};
    std::int64_t start_ms{};
    std::int64_t end_ms{-1}; ///< -1: not over
    StopCause cause{};       ///< none: it ended by itself

    [[nodiscard]] bool was_stopped() const { return cause != StopCause::none; }
};

/// A start that backfill promised to a waiting job.
struct LoggedPromise {
    std::uint32_t job{};
    std::int64_t start_ms{};
};

/// A job that waited for others, and when it became eligible.
struct LoggedLateJob {
    std::uint32_t job{};
    std::int64_t time_ms{};
};

/// A waiting job that left the queue for good.
struct LoggedDrop {
    std::uint32_t job{};
    std::int64_t time_ms{};
};

/// State after the last pass of an instant.
struct LoggedInstant {
    std::int64_t time_ms{};
    std::vector<std::int64_t> free_slots; ///< by pool
    std::uint32_t num_pending{};
};

/// Records a run's events without checks. Throws std::runtime_error for more instants than any
/// drawn plan has.
class AttemptLog final : public RunWatcher {
  public:
    explicit AttemptLog(const Plan& plan) : latest_(plan.num_jobs()) {}

    void begun() override {
        attempts.clear();
        promises.clear();
        late.clear();
        drops.clear();
        instants.clear();
        was_sane = true;
        latest_.assign(latest_.size(), std::nullopt);
    }
    void started(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms) override {
        was_sane = was_sane && (!latest_[job] || attempts[*latest_[job]].end_ms >= 0);
        latest_[job] = attempts.size();
        attempts.push_back({job, pool, level, now_ms});
    }
    void stopped(JobId job, StopCause cause, std::int64_t now_ms) override {
        end(job, now_ms, cause);
    }
    void finished(JobId job, std::int64_t now_ms) override { end(job, now_ms, StopCause::none); }
    void eligible(JobId job, std::int64_t now_ms) override { late.push_back({job, now_ms}); }
    void dropped(JobId job, std::int64_t now_ms) override { drops.push_back({job, now_ms}); }
    void reserved(JobId job, std::int64_t start_ms) override {
        promises.push_back({job, start_ms});
    }
    void settled(std::int64_t now_ms,
                 std::span<const std::int64_t> free_slots,
                 std::uint32_t num_pending) override {
        if (!instants.empty() && instants.back().time_ms == now_ms)
            instants.pop_back(); // jobs of zero length have ended since: one more round
        instants.push_back({now_ms, {free_slots.begin(), free_slots.end()}, num_pending});
        if (instants.size() > most_instants)
            throw std::runtime_error{"the run does not come to an end"};
    }

    std::vector<LoggedAttempt> attempts; ///< by start
    std::vector<LoggedPromise> promises; ///< as they were made
    std::vector<LoggedLateJob> late;     ///< jobs that became eligible after their submit
    std::vector<LoggedDrop> drops;
    std::vector<LoggedInstant> instants;
    bool was_sane{true}; ///< no job started twice or ended without running

  private:
    static constexpr std::size_t most_instants = 1'000'000; ///< before memory is used up

    void end(std::uint32_t job, std::int64_t now_ms, StopCause cause) {
        was_sane = was_sane && latest_[job] && attempts[*latest_[job]].end_ms < 0;
        if (!latest_[job])
            return;
        attempts[*latest_[job]].end_ms = now_ms;
        attempts[*latest_[job]].cause = cause;
    }

    std::vector<std::optional<std::size_t>> latest_; ///< by job: its last attempt
};

} // namespace bursar::test
