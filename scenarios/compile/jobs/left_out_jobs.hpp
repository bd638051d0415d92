#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/errors/alike_findings.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// The rows of a workload that can never run: mistakes, or, under `on_bad_row: skip`, warnings.
/// Nothing is left out silently: the count is reported, and each cause at its first row.
class LeftOutJobs {
  public:
    /// All outlive this.
    LeftOutJobs(const Scenario& scenario, const Trace& trace, const ListedRows& listed)
        : scenario_{scenario}, trace_{trace}, listed_{listed} {}

    /// if_drawn: suggestion for a synthetic workload.
    void add(std::uint32_t row,
             std::string why,
             std::string suggestion,
             const std::string& if_drawn =
                 "a larger pool, or a smaller `gpus` of the synthetic workload");

    /// Warnings about them and about the bad rows of the trace. Throws ScenarioError if rows must
    /// not be skipped, or if none of num_jobs is left.
    [[nodiscard]] std::vector<std::string> warnings(std::size_t num_jobs) const;

  private:
    [[nodiscard]] bool are_skipped() const;
    [[noreturn]] void fail() const;

    const Scenario& scenario_;
    const Trace& trace_;
    const ListedRows& listed_;
    AlikeFindings found_;
    std::uint64_t num_{};
};

/// Why none of these pools holds a job: it is larger than the largest. permitted: as bits, at least
/// one.
[[nodiscard]] std::string
largest_permitted(const Plan& plan, const Labels& labels, std::uint64_t permitted);

/// Notes about the rows of a trace file, and about options without effect: a line each.
std::vector<std::string> trace_notes(const Trace& trace);

}} // namespace bursar::scenarios
