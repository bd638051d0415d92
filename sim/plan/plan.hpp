#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/units/host_device.hpp"
#include "models/units/units.hpp"

#include "sim/plan/speed.hpp"

namespace bursar {

/// How a pool's capacity was bought; the broker's order follows it.
enum class Purchase : std::uint8_t { owned, reserved, on_demand, spot };

/// What the trace says became of a job.
enum class JobEnd : std::uint8_t {
    completed,  ///< its work was kept
    failed,     ///< ended by its own fault, nothing usable
    cancelled,  ///< ended by its user
    node_failed ///< ended by a fault of the platform
};

/// A pool as the engine sees it: nodes of one shape at one price.
struct PlanPool {
    std::uint32_t num_nodes{};
    std::uint32_t gpus_per_node{};
    Purchase purchase{Purchase::owned};
    MoneyRate rate{};         ///< >= 0
    Duration billing_step{1}; ///< paid time is rounded up to a multiple of this; >= 1 ms

    [[nodiscard]] BURSAR_HD std::int64_t num_gpus() const {
        return std::int64_t{num_nodes} * gpus_per_node;
    }
};

/// What jobs have in common beside their numbers.
struct PlanClass {
    Duration startup{};         ///< holding its GPUs before work begins, per attempt
    Duration teardown{};        ///< holding its GPUs after work ended
    std::uint16_t speed_row{0}; ///< row of Plan::speeds; 0: reference speed everywhere, no stalls
};

/// What decides where a job fits: its gang size and the pools it may use. Jobs of one shape are
/// interchangeable for capacity; queues and the idle split work per shape.
struct JobShape {
    std::uint32_t gpus{};            ///< >= 1
    std::uint64_t permitted_pools{}; ///< bit p: pool p may run it; never 0
};

inline constexpr std::size_t max_pools = 64; ///< one bit each in JobShape::permitted_pools

/// One job's numbers, as policies see them.
struct JobView {
    std::uint32_t index{}; ///< position in the plan: submit order, ties in input order
    std::uint32_t gpus{};
    Duration submit{};
    Duration run_time{}; ///< at reference speed, as the scheduler believes it; exact in this plan
};

/// The compiled scenario: immutable flat arrays, shared by all runs that differ only in a
/// Variation. Job columns are sorted by submit time; equal submit times keep the order of the
/// input.
struct Plan {
    // One row per job: 23 bytes. Columns have equal length.
    std::vector<std::int64_t> submit_ms;  ///< >= 0, ascending
    std::vector<std::int64_t> work_ms;    ///< time at work at reference speed, 0 .. horizon_ms
    std::vector<std::uint16_t> shape;     ///< index into shapes
    std::vector<std::uint16_t> job_class; ///< index into classes
    std::vector<std::uint16_t> tenant;    ///< 0 .. num_tenants-1
    std::vector<JobEnd> end;

    std::vector<JobShape> shapes;
    std::vector<PlanClass> classes;
    std::vector<PlanSpeed> speeds;              ///< [(row - 1) * pools + pool]: row 0 needs none
    std::vector<PlanPool> pools;                ///< scenario order
    std::vector<std::uint16_t> pool_preference; ///< pools in the order the broker tries them
    std::vector<std::uint16_t> pools_by_name;   ///< pools in name order: the idle split's tie order
    std::uint32_t num_tenants{1};

    std::optional<Duration> until;      ///< end of the run; absent: the last finish
    Duration measure_from{};            ///< jobs submitted before are not measured
    std::optional<Duration> measure_to; ///< absent: the end of what is paid

    [[nodiscard]] std::size_t num_jobs() const { return submit_ms.size(); }
    [[nodiscard]] std::uint32_t gpus(std::size_t job) const { return shapes[shape[job]].gpus; }
    [[nodiscard]] JobView view(std::uint32_t job) const {
        return {job, gpus(job), Duration{submit_ms[job]}, Duration{work_ms[job]}};
    }
    /// How a job goes on a pool; null where it runs at reference speed without stalls.
    [[nodiscard]] const PlanSpeed* speed_of(std::size_t job, std::size_t pool) const {
        const std::uint16_t row = classes[job_class[job]].speed_row;
        return row == 0 ? nullptr : &speeds[(row - 1U) * pools.size() + pool];
    }
};

} // namespace bursar
