#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "policies/allocator/earliest_deadline.hpp"
#include "policies/allocator/fraction_program.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// The most work for what GPUs cost, with deadlines as constraints. Start-ups and recoveries count
/// neither as cost nor as time before a deadline.
struct MinCost {
    static constexpr std::string_view name = "min-cost";
    static constexpr std::string_view summary =
        "time on pools so that the sum of the jobs' work over the price of GPUs is as large as it "
        "can be while jobs meet their deadlines, pools that are paid in any case first";
    static constexpr std::string_view cost =
        "per computation: one or two linear programs of jobs * pools";
    static constexpr std::string_view source = "Narayanan et al., OSDI 2020 (Gavel, cost with "
                                               "SLOs; ThroughputNormalizedByCostSum_PerfSLOs "
                                               "in its code)";
    static constexpr bool needs_run_times = true;
    static constexpr bool needs_rounds = true;
    static constexpr OptionInfo options[]{recompute_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(given.value(recompute_option));
    }

  private:
    class Decider : public SolverAllocator {
      public:
        using SolverAllocator::SolverAllocator;

        [[nodiscard]] std::string remark() const override {
            std::string out;
            if (num_late_ > 0)
                out = "at " + std::to_string(num_late_) +
                      " computations of shares not all deadlines could be met, and none counted";
            if (!out_of_reach_.empty())
                out += (out.empty() ? "the deadlines of " : "; the deadlines of ") +
                       std::to_string(out_of_reach_.size()) +
                       (out_of_reach_.size() == 1 ? " job" : " jobs") +
                       " did not count at some computations of shares, as no pool with nodes "
                       "was fast enough to meet them";
            return out;
        }

      private:
        std::uint64_t num_late_{};     ///< computations in which deadlines can't be met together
        std::set<JobId> out_of_reach_; ///< with deadlines that no speed of a pool with nodes met

        void forget() override {
            num_late_ = 0;
            out_of_reach_.clear();
        }
        [[nodiscard]] bool follows_prices() const override { return true; }
        [[nodiscard]] bool compares_pools() const override { return true; }

        std::optional<Answer> answer(const AllocationView& view) override {
            std::vector<double> worth;
            for (const AllocationJob& job : view.jobs)
                for (PoolId pool{0}; pool < view.pools.size(); ++pool)
                    worth.push_back(gpus_of(job) * work_per_cost(view, job, pool));
            FractionProgram in_time{view};
            for (std::size_t job = 0; job < view.jobs.size(); ++job) {
                const double least = least_speed(view, view.jobs[job]);
                if (least <= highest_speed(view, view.jobs[job]))
                    in_time.require_speed(job, least);
                else
                    out_of_reach_.insert(view.jobs[job].job);
            }
            if (std::optional<Answer> best = in_time.at_highest_worth(worth))
                return best;
            ++num_late_;
            return FractionProgram{view}.at_highest_worth(worth);
        }

        /// With which a job meets its deadline if it works all the time, without start-up or
        /// recovery; 0: it has none, or it has passed.
        static double least_speed(const AllocationView& view, const AllocationJob& job) {
            const std::int64_t due = due_ms(view, job);
            if (due == horizon_ms || due <= view.now_ms)
                return 0;
            return static_cast<double>(job.work_left_ms) / static_cast<double>(due - view.now_ms);
        }
        static double highest_speed(const AllocationView& view, const AllocationJob& job) {
            double highest = 0;
            for (PoolId pool{0}; pool < view.pools.size(); ++pool)
                highest = std::max(highest, view.speed(job, pool));
            return highest;
        }
    };
};

}} // namespace bursar::policies
