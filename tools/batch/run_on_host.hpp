#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/record/outcome.hpp"

#include "tools/batch/batch_plans.hpp"

namespace bursar { inline namespace tools {

/// Receives the runs of a batch, each with its plan; called by several threads.
struct BatchListener {
    std::function<void(std::size_t plan, const Outcome& outcome)> on_outcome;
    std::function<void(std::size_t plan, const std::string& why)> on_refused;
};

/// Makes runs on `threads` threads of the host, those with the most jobs first. runs: the plan of
/// each; a plan may be repeated.
void run_on_host(std::span<const BatchPlan> plans,
                 std::vector<std::size_t> runs,
                 std::size_t threads,
                 const BatchListener& listener);

/// Sorts by number of jobs, most first; equal ones keep their order.
void sort_longest_first(std::span<const BatchPlan> plans, std::vector<std::size_t>& runs);

}} // namespace bursar::tools
