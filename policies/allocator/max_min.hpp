#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "policies/allocator/equal_time.hpp"
#include "policies/allocator/fraction_program.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Maximises the least progress of a job, in multiples of the progress that it would make with an
/// equal share of each pool.
struct MaxMinFairness {
    static constexpr std::string_view name = "max-min";
    static constexpr std::string_view summary =
        "time on pools so that the job that gains least over an equal share of every pool "
        "gains as much as it can; tenants' weights count. With `speeds: agnostic` as if all GPUs "
        "were equal: GPU time in equal parts";
    static constexpr std::string_view cost =
        "per computation: a linear program of jobs * pools; agnostic: jobs * pools for each "
        "number of GPUs";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, max-min fairness, equation 1; agnostic: LAS, "
        "max_min_fairness in its code)";
    static constexpr bool needs_rounds = true;
    static constexpr OptionInfo options[]{
        recompute_option,
        {.name = "speeds",
         .kind = OptionKind::choice,
         .meaning = "what a GPU of a pool is worth to a job: its speed there (`by-pool`), or the "
                    "same on every pool that it may use (`agnostic`)",
         .choices = {"by-pool", "agnostic"}}};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        if (given.value(options[1]) == 1)
            return std::make_unique<EqualTimeAllocator>(given.value(recompute_option));
        return std::make_unique<Decider>(given.value(recompute_option));
    }

  private:
    class Decider : public SolverAllocator {
        using SolverAllocator::SolverAllocator;

        std::optional<Answer> answer(const AllocationView& view) override {
            FractionProgram program{view};
            for (std::size_t job = 0; job < view.jobs.size(); ++job) {
                const AllocationJob& one = view.jobs[job];
                if (one.slots == 0)
                    continue;
                const double weight = view.plan.weight(view.plan.tenant_of(one.job));
                program.require_speed(job, weight * equal_share_speed(view, one, 1) / gpus_of(one));
            }
            return program.at_highest_level();
        }
    };
};

}} // namespace bursar::policies
