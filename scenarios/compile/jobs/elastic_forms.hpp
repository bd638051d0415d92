#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The forms of elastic jobs of one class and shape, and the speeds that follow from `elastic`.
///
/// Work is counted at the speed with the GPUs that a job asks for. GPU time beyond what the work
/// takes with the most efficient number of GPUs is a stall for communication, so that the useful
/// time of a job is the same however many it has. A class with a model has the model's stalls.
class ElasticForms {
  public:
    struct Form {
        JobShape shape;
        std::uint16_t shape_number{};
        std::uint16_t plan_class{}; ///< of rigid jobs of that shape
        std::int64_t work_ms{};     ///< as its model says; 0: it has no model
    };

    /// spec: an elastic class, which outlives this. asked: the shape of its jobs.
    ElasticForms(const ClassSpec& spec, const JobShape& asked) : spec_{spec}, asked_{asked} {}

    /// In order of GPUs.
    void add(const Form& form) { forms_.push_back(form); }

    /// Adds classes and forms to the plan. Returns the class of the jobs; `plan_class`, the one of
    /// rigid jobs, if their number of GPUs is none of the forms', or there is no other.
    std::uint16_t put(Plan& plan, std::uint16_t plan_class) const;

  private:
    [[nodiscard]] PlanSpeed
    speed_of(const Form& form, const Form& asked, const PlanSpeed& rigid) const;

    const ClassSpec& spec_;
    const JobShape& asked_;
    std::vector<Form> forms_;
};

}} // namespace bursar::scenarios
