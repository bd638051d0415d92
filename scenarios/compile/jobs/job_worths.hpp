#pragma once

#include <cstdint>
#include <string_view>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Fills the plan's columns of priority, deadline and value, as far as a class or the trace gives
/// them, and the tenants' weights.
class JobWorths {
  public:
    /// All outlive this. Throws ScenarioError where a policy goes by something that no job has, and
    /// where `shares` names a tenant that has no job.
    JobWorths(const Scenario& scenario, const Trace& trace, Plan& plan);

    /// Whether any job has some: else add() does nothing.
    [[nodiscard]] bool has_any() const {
        return named_.priority || named_.deadline || named_.value;
    }

    /// The last job of the plan, which is row `row` of the workload, of class `job_class`; its
    /// shape has no number yet. Throws ScenarioError where its value would not fit 9e9 USD.
    void add(std::uint32_t row, std::uint16_t job_class, const JobShape& shape);

    /// After the last job. Throws ScenarioError where a policy goes by something that classes give,
    /// but to no job.
    void check_given() const;

  private:
    /// Which kinds of worth there are.
    struct Kinds {
        bool priority{};
        bool deadline{};
        bool value{};
    };
    void check_needs(const Kinds& there, std::string_view who_lacks_it) const;
    void set_weights();
    void add_value(const ClassSpec& spec, std::uint16_t job_class, const JobShape& shape);

    const Scenario& scenario_;
    const Trace& trace_;
    Plan& plan_;
    ClassSpec no_class_; ///< of a scenario without classes
    Kinds named_;        ///< by a class, or the trace
    Kinds given_;        ///< to a job
};

}} // namespace bursar::scenarios
