#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Fills the plan's columns of priority, deadline and value, if a class or the trace gives them,
/// and the tenants' weights.
class JobWorths {
  public:
    /// All outlive this. Throws ScenarioError if a policy orders by a worth that no job has, and if
    /// `shares` names a tenant without jobs.
    JobWorths(const Scenario& scenario, const Trace& trace, Plan& plan);

    /// Whether any job has a priority, deadline or value; else add() does nothing.
    [[nodiscard]] bool has_any() const {
        return named_.priority || named_.deadline || named_.value;
    }

    /// Time from the submit of a row of the workload, of class `job_class`, to its deadline: that
    /// of its class, else its own; absent: none.
    [[nodiscard]] std::optional<Duration> deadline_of(std::uint32_t row,
                                                      std::uint16_t job_class) const;

    /// Adds the last job of the plan, which is row `row` of the workload, of class `job_class`; its
    /// shape has no number yet. Throws ScenarioError if its value would exceed 9e9 USD.
    void add(std::uint32_t row, std::uint16_t job_class, const JobShape& shape);

    /// Called after the last job. Throws ScenarioError if a policy orders by a worth that classes
    /// give, but to no job.
    void check_given() const;

  private:
    /// Kinds of worth that are present.
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
    Kinds named_;        ///< given by a class, or the trace
    Kinds given_;        ///< given to a job
};

}} // namespace bursar::scenarios
