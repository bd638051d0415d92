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

/// The class of a row of a trace and the pools that it may use: the scenario's rules with every
/// name resolved.
class JobRules {
  public:
    JobRules(const Scenario& scenario,
             const Catalogue& catalogue,
             const Trace& trace,
             const Plan& plan);

    /// The first class that matches. A scenario without classes has one that takes every job.
    [[nodiscard]] std::uint16_t class_of(std::size_t row) const;

    /// Whether all rows of one kind (RowKinds) have the same class.
    [[nodiscard]] bool go_by_kind() const;

    /// The pools that a class permits; as bits.
    [[nodiscard]] std::uint64_t class_pools(std::uint16_t job_class) const {
        return classes_[job_class].pools;
    }

    /// The pools that the row's class and GPU types permit, whatever their size; as bits.
    [[nodiscard]] std::uint64_t permitted_pools(std::size_t row, std::uint16_t job_class) const;

  private:
    struct ClassRule {
        CountRange gpus;
        std::vector<bool> tenants;                ///< by tenant index; empty: all
        std::vector<bool> classes;                ///< by class of the trace; empty: all
        std::set<std::string, std::less<>> names; ///< of jobs; empty: all
        std::uint64_t pools{};
    };

    const Trace& trace_;
    std::vector<ClassRule> classes_;
    std::vector<std::uint64_t> type_set_pools_; ///< per entry of the trace's gpu_type_sets
};

/// The classes as the engine reads them, in the order JobRules numbers them.
std::vector<PlanClass> plan_classes(const Scenario& scenario);

/// Warnings for classes that match tenants or names which no job has, and for classes without jobs.
/// jobs_of_class: jobs of each class.
[[nodiscard]] std::vector<std::string> idle_matches(const Scenario& scenario,
                                                    const Trace& trace,
                                                    std::span<const std::uint64_t> jobs_of_class);

}} // namespace bursar::scenarios
