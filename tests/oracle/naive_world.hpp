#pragma once

#include <cstddef>
#include <cstdint>

namespace bursar::oracle {

/// Why an attempt lost its GPUs before its own end.
enum class Cause : std::uint8_t {
    none,
    preempted,
    reclaimed,
    node_failed,
    hung,
    maintenance,
    budget,
    resized,
    reclaimed_unsaved,
    job_failed,
    migrated,
    shared
};

/// Whether lost work is lost to a failure.
constexpr bool is_failure(Cause cause) {
    return cause == Cause::node_failed || cause == Cause::hung || cause == Cause::job_failed;
}

/// Whether there is no time to save.
constexpr bool is_abrupt(Cause cause) {
    return is_failure(cause) || cause == Cause::reclaimed_unsaved;
}

/// A change of the world, independent of the scheduler.
struct WorldChange {
    enum class Kind : std::uint8_t {
        stop_job,      ///< a job at work loses its GPUs
        node_offline,  ///< a node that is up takes no work, and its attempts stop
        node_online,   ///< it takes work again, if it was offline for that cause
        supply,        ///< the provider offers `node` nodes of the pool: others are reclaimed
        least_nodes,   ///< the pool has `node` nodes even if no job waits
        node_closes,   ///< a node that is up takes no more work
        launches_fail, ///< from now on
        launches_work, ///< again
        pool_shuts,    ///< no job starts there, and no nodes are kept for jobs
        pool_opens,    ///< again
        job_barred,    ///< the job does not start
        job_let_in,    ///< the job may start again
        last_call      ///< the run ends once no job holds GPUs
    };
    std::int64_t time_ms{};
    Kind kind{};
    Cause cause{};
    std::size_t job{}; ///< stop_job, job_barred, job_let_in
    std::size_t pool{};
    std::size_t node{};     ///< or how many
    std::int64_t hold_ms{}; ///< after an abrupt stop, until it is noticed; supply: the notice
};

} // namespace bursar::oracle
