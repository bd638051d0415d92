#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "policies/allocator/configurations.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Gives elastic jobs GPUs so that the harmonic mean of their speedups is high. A speedup is the
/// speed over that with an equal share of all GPUs, less what a change of GPUs costs.
struct Pollux {
    static constexpr std::string_view name = "pollux";
    static constexpr std::string_view summary =
        "GPUs so that the harmonic mean of speedups over an equal share is as high as it can be, "
        "less what changes cost";
    static constexpr std::string_view cost =
        "per decision: a linear program of jobs * pools * numbers of GPUs";
    static constexpr std::string_view source =
        "Qiao et al., OSDI 2021 (Pollux, equations 10 and 11, p = -1; petuum/adaptdl, "
        "simulator/pollux.py, which searches by a genetic algorithm)";
    static constexpr bool resizes = true;
    static constexpr OptionInfo options[]{growth_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(static_cast<Growth>(given.value(growth_option)));
    }

  private:
    class Decider : public WorthAllocator {
        using WorthAllocator::WorthAllocator;

        /// Of the paper's code: added to each speedup, so that a job without GPUs counts.
        static constexpr double least_speedup = 1e-3;

        [[nodiscard]] double worth(double speedup) const override {
            return 1 / least_speedup - 1 / (speedup + least_speedup);
        }

        /// The speed of a job with its part of all GPUs if each job had as many, at least with its
        /// fewest, on the pool where it is fastest.
        [[nodiscard]] double unit_speed(const AllocationView& view,
                                        const AllocationJob& job,
                                        const ElasticDecision& decision) const override {
            std::int64_t slots = 0;
            for (const AllocationPool& pool : view.pools)
                slots += pool.slots;
            const auto jobs = static_cast<std::int64_t>(view.jobs.size());
            const std::int64_t share = (slots + jobs - 1) / jobs;
            double speed = 0;
            for (std::size_t form = 0; form < ElasticDecision::num_forms(job); ++form)
                for (PoolId pool{0}; pool < view.pools.size(); ++pool)
                    if (const ElasticDecision::Given given = decision.in_form(job, form, pool);
                        form == 0 || given.slots < share + slots_per_gpu)
                        speed = std::max(speed, given.speed);
            return speed > 0 ? speed : 1.0;
        }
    };
};

}} // namespace bursar::policies
