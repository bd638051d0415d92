#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Which class a row of a trace belongs to and which pools it may use: the scenario's rules, with
/// every name already looked up.
class JobRules {
  public:
    JobRules(const Scenario& scenario,
             const Catalogue& catalogue,
             const Trace& trace,
             const Plan& plan);

    /// The first class that matches. A scenario without classes has one that takes everything.
    [[nodiscard]] std::uint16_t class_of(std::size_t row) const;

    /// Whether rows of one kind (RowKinds) are of one class.
    [[nodiscard]] bool go_by_kind() const;

    /// The pools that a class permits; as bits.
    [[nodiscard]] std::uint64_t class_pools(std::uint16_t job_class) const {
        return classes_[job_class].pools;
    }

    /// The pools that the row's class and the row's GPU types permit, whatever their size; as bits.
    [[nodiscard]] std::uint64_t permitted_pools(std::size_t row, std::uint16_t job_class) const;

  private:
    struct ClassRule {
        CountRange gpus;
        std::vector<bool> tenants;                ///< by tenant index; empty: all
        std::set<std::string, std::less<>> names; ///< of jobs; empty: all
        std::uint64_t pools{};
    };

    const Trace& trace_;
    std::vector<ClassRule> classes_;
    std::vector<std::uint64_t> type_set_pools_; ///< per entry of the trace's gpu_type_sets
};

/// The classes' engine side, in the order JobRules numbers them.
std::vector<PlanClass> plan_classes(const Scenario& scenario);

/// Warnings of classes that match tenants or names which no job has, and of classes without jobs.
/// jobs_of_class: jobs of each class.
[[nodiscard]] std::vector<std::string> idle_matches(const Scenario& scenario,
                                                    const Trace& trace,
                                                    std::span<const std::uint64_t> jobs_of_class);

}} // namespace bursar::scenarios
