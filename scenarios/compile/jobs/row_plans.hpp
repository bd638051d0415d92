#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/broker_rules.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/compile/jobs/job_works.hpp"

namespace bursar { inline namespace scenarios {

/// What a row of a workload becomes in a plan, without what each row has of its own: times, tenant,
/// end, worth.
struct RowPlan {
    JobShape shape;
    std::uint16_t shape_number{}; ///< as ShapeTable numbers it
    std::uint16_t plan_class{};   ///< its row of Plan::classes
    JobWork work;                 ///< of the first such row: one with a run time has its own
    std::uint64_t asked_pools{};  ///< that it may use, were each known to do its work; as bits
    std::optional<JobFallback> fallback{}; ///< its own
};

/// Plans of rows by their kind (RowKinds) and class. Thousands of rows of a trace are alike, and
/// only the first of a kind is worked out.
class RowPlans {
  public:
    /// num_classes: >= 1.
    RowPlans(std::size_t num_kinds, std::size_t num_classes)
        : num_classes_{num_classes}, places_(num_kinds * num_classes) {}

    /// Null where no such row was added.
    [[nodiscard]] const RowPlan* find(std::uint32_t kind, std::uint16_t job_class) const {
        const std::uint32_t place = places_[kind * num_classes_ + job_class];
        return place == 0 ? nullptr : &plans_[place - 1];
    }

    void add(std::uint32_t kind, std::uint16_t job_class, const RowPlan& plan) {
        plans_.push_back(plan);
        places_[kind * num_classes_ + job_class] = static_cast<std::uint32_t>(plans_.size());
    }

  private:
    std::size_t num_classes_;
    std::vector<std::uint32_t> places_; ///< 1 + that of a plan; 0: none
    std::vector<RowPlan> plans_;
};

}} // namespace bursar::scenarios
