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
    migrated
};

/// What was not safe is lost to a failure.
constexpr bool is_failure(Cause cause) {
    return cause == Cause::node_failed || cause == Cause::hung || cause == Cause::job_failed;
}

/// Nobody gets to save.
constexpr bool is_abrupt(Cause cause) {
    return is_failure(cause) || cause == Cause::reclaimed_unsaved;
}

/// Something that happens to jobs or nodes whatever a scheduler does.
struct WorldChange {
    enum class Kind : std::uint8_t {
        stop_job,      ///< a job at work loses its GPUs
        node_offline,  ///< a node that is up takes no work, and what runs there stops
        node_online,   ///< it does again, if that was why it did not
        supply,        ///< `node` nodes of the pool can be had: others are taken back
        least_nodes,   ///< the pool has `node` nodes whether anybody waits or not
        node_closes,   ///< a node that is up takes no more work
        launches_fail, ///< from now on
        launches_work, ///< again
        pool_shuts,    ///< nobody starts there, and nodes that come and go are kept for nobody
        pool_opens,    ///< again
        job_barred,    ///< it does not start
        job_let_in,    ///< it may again
        last_call      ///< the run is over once nobody holds anything
    };
    std::int64_t time_ms{};
    Kind kind{};
    Cause cause{};
    std::size_t job{}; ///< stop_job, job_barred, job_let_in
    std::size_t pool{};
    std::size_t node{};     ///< or how many
    std::int64_t hold_ms{}; ///< after an abrupt stop, until anybody notices; supply: the notice
};

} // namespace bursar::oracle
