#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"
#include "tests/oracle/naive_world.hpp"

namespace bursar::oracle {

enum class Phase : std::uint8_t {
    coming, ///< not submitted, or waiting for other jobs
    pending,
    running,
    stopped, ///< it still holds its GPUs, to save or until the stop is noticed
    done,
    dropped ///< it waited, and had to miss its deadline
};

/// The time before an attempt's work, after a stop during it.
enum class RestartRule : std::uint8_t {
    anew,   ///< every attempt after the first begins with recovery_ms
    adds_up ///< each stop adds recovery_ms to the rest of the last one (Helios)
};

/// Durable time at work, and where it was done.
struct KeptWork {
    std::size_t pool{};
    std::int64_t ms{};
    std::int64_t slots{};
    Pace pace{};
};

/// The state of a submitted job.
struct JobState {
    Phase phase{Phase::coming};
    bool is_submitted{};
    std::int64_t work_left_ms{}; ///< at full speed, since the last durable state
    std::int64_t restart_left{}; ///< ms before work begins, at the next start
    std::int64_t held_ms{};      ///< by stopped attempts, until the stop
    std::int64_t num_attempts{};
    std::int64_t num_preemptions{};
    std::vector<KeptWork> kept;
    std::int64_t starved_ms{}; ///< waited since it was last promoted, after it had run since then
    std::optional<std::int64_t> starves_since_ms{}; ///< since when it waits so
    std::int64_t num_failures{};                    ///< by its own fault
    std::int64_t wear{};                            ///< since the last failure, of stopped attempts
    // The attempt that holds GPUs:
    std::size_t pool{};
    std::vector<Share> shares;
    bool is_slow{};                            ///< one of its nodes is slow
    std::optional<std::size_t> partner{};      ///< the job that shares its GPUs
    std::optional<std::size_t> paced_beside{}; ///< the class beside which it works, at half
    std::int64_t start_ms{};
    std::int64_t release_ms{};      ///< when it releases its GPUs if it is not stopped
    std::int64_t believed_end_ms{}; ///< the same, as the scheduler believes
    std::int64_t remaining_at_start_ms{};
    std::int64_t needed_at_start_ms{}; ///< to the end of the work on its pool, as believed
    Cause cause{};
    std::int64_t stop_ms{};                ///< Phase::stopped: since when
    std::optional<std::int64_t> notice_ms; ///< it works until then, then is stopped
};

/// The state of an attempt some time after its start.
struct Progress {
    std::int64_t overhead_ms{}; ///< in startup or recovery
    std::int64_t at_work_ms{};
    std::int64_t durable_ms{}; ///< of at_work_ms: saved at intervals or at the stop
    std::int64_t saving_ms{};
    std::int64_t teardown_ms{};
};

} // namespace bursar::oracle
