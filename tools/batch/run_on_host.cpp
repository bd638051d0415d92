#include "tools/batch/run_on_host.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>

#include "policies/runs/simulate.hpp"

namespace bursar { inline namespace tools {

void sort_longest_first(std::span<const BatchPlan> plans, std::vector<std::size_t>& runs) {
    std::ranges::stable_sort(runs, [&](std::size_t a, std::size_t b) {
        return plans[a].plan->num_jobs() > plans[b].plan->num_jobs();
    });
}

void run_on_host(std::span<const BatchPlan> plans,
                 std::vector<std::size_t> runs,
                 std::size_t threads,
                 const BatchListener& listener) {
    sort_longest_first(plans, runs);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> is_over{false};
    std::exception_ptr failed; // an error in writing a row
    std::atomic_flag has_failed;
    const auto make = [&](std::size_t at, Workspace& workspace) {
        const BatchPlan& plan = plans[at];
        try {
            const Outcome outcome =
                simulate_ledger(*plan.plan, *plan.order, plan.choice, workspace);
            listener.on_outcome(at, outcome);
        } catch (const std::bad_alloc&) {
            listener.on_refused(at, "the host has no memory left for it");
        }
    };
    const auto work = [&] {
        try {
            Workspace workspace;
            for (std::size_t n = next++; n < runs.size() && !is_over; n = next++)
                make(runs[n], workspace);
        } catch (...) {
            if (!has_failed.test_and_set())
                failed = std::current_exception();
            is_over = true;
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(threads, runs.size()); ++i)
            others.emplace_back(work);
        work();
    }
    if (failed)
        std::rethrow_exception(failed);
}

}} // namespace bursar::tools
