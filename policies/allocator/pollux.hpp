#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

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
    class Decider : public Allocator {
      public:
        explicit Decider(Growth growth) : growth_{growth} {}

      private:
        /// Of the paper's code: added to each speedup, so that a job without GPUs counts.
        static constexpr double least_speedup = 1e-3;

        Growth growth_;
        ElasticPast past_;

        void begin() override { past_.clear(); }
        [[nodiscard]] bool moves_with_time() const override { return true; }

        void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override {
            past_.follow(view);
            ElasticDecision decision{view};
            std::vector<Configuration> all;
            for (std::size_t job = 0; job < view.jobs.size(); ++job) {
                const AllocationJob& one = view.jobs[job];
                const double equal = equal_share_speed(view, one, decision);
                each_configuration(
                    view, one, decision, past_, growth_, [&](const ElasticDecision::Given& given) {
                        const double speedup = given.speed / equal * past_.factor(view, one, given);
                        if (speedup > 0)
                            all.push_back(
                                {job, given, 1 / least_speedup - 1 / (speedup + least_speedup)});
                    });
            }
            choose_configurations(all, decision);
            decision.put_rows(rows);
        }

        /// The speed of a job with its part of all GPUs if each job had as many, at least with its
        /// fewest, on the pool where it is fastest.
        static double equal_share_speed(const AllocationView& view,
                                        const AllocationJob& job,
                                        const ElasticDecision& decision) {
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
