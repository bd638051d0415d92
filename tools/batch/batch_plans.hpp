#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "policies/choice/policy_choice.hpp"
#include "policies/stored/stored_run.hpp"

namespace bursar { inline namespace tools {

/// A plan file, ready to run.
struct BatchPlan {
    std::string file;
    std::uint64_t hash{};               ///< the file's checksum (sim/plan_file/README.md)
    std::shared_ptr<const Plan> plan{}; ///< files with equal plans share one
    std::shared_ptr<const JobOrder> order{};
    PolicyChoice choice{};
    RunTerms terms{};
    std::string refusal{}; ///< why the plan does not determine its run; empty: it does
};

/// The plan files that a command line names; a folder stands for its *.bplan files by name. Throws
/// BadPlan.
[[nodiscard]] std::vector<std::string> plan_files(const std::vector<std::string>& named);

/// Reads all files on `threads` threads; the result has their order. Throws BadPlan with the files
/// that cannot be used (the first 20), and errors of the machine.
[[nodiscard]] std::vector<BatchPlan> load_plans(const std::vector<std::string>& files,
                                                std::size_t threads);

/// Why the outcome of a plan is not that of its scenario: the run reached a limit, or the end of
/// what is drawn. Empty: it is.
[[nodiscard]] std::string flaw_of(const BatchPlan& plan, const Outcome& outcome);

}} // namespace bursar::tools
