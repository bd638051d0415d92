#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/job_fallback.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/compile/jobs/job_works.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar::inline scenarios {

/// What a row of a workload comes to in a plan, beside what is its own: times, tenant, end, worth.
struct RowPlan {
    JobShape shape;
    std::uint16_t shape_number{}; ///< as ShapeTable numbers it
    std::uint16_t plan_class{};   ///< its row of Plan::classes
    JobWork work;                 ///< of the first such row: one with a run time has its own
    std::uint64_t asked_pools{};  ///< that it may use, were each known to do its work; as bits
    std::optional<JobFallback> fallback{}; ///< its own
};

/// What rows came to, by all of a row that decides it: of a trace thousands of rows are alike, so
/// that only the first of them is worked out.
class RowPlans {
  public:
    /// trace: outlives this.
    explicit RowPlans(const Trace& trace) : trace_{trace}, slots_(64) {}

    /// Null where no row like it was added.
    [[nodiscard]] const RowPlan* find(std::size_t row, std::uint16_t job_class) const;

    /// Precondition: find() gives nothing.
    void add(std::size_t row, std::uint16_t job_class, const RowPlan& plan);

  private:
    /// The row's numbers, packed.
    struct Key {
        std::uint64_t gang{};  ///< GPUs, CPU
        std::uint64_t share{}; ///< memory, class, part of a GPU
        std::uint32_t gpu{};   ///< the GPUs that it may use, and the one it ran on
        bool operator==(const Key&) const = default;
    };
    struct Slot {
        Key key;
        std::uint32_t plan{}; ///< 1 + its place; 0: free
    };

    [[nodiscard]] Key key_of(std::size_t row, std::uint16_t job_class) const;
    /// Where a key is, or would be put.
    [[nodiscard]] std::size_t place_of(const Key& key) const;
    void grow();

    const Trace& trace_;
    std::vector<RowPlan> plans_;
    std::vector<Slot> slots_; ///< open addressing: a power of two, at most half of them taken
};

} // namespace bursar::inline scenarios
