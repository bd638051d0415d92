#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "policies/allocator/fraction_program.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Minimises the largest ratio of a job's time to that with an equal share of each pool.
struct FinishTimeAllocation {
    static constexpr std::string_view name = "ftf";
    static constexpr std::string_view summary =
        "time on pools so that the largest finish-time ratio of a job is as small as it can be: "
        "its time from submission to end over that with an equal share of every pool";
    static constexpr std::string_view cost =
        "per computation: some 15 linear programs of jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, finish-time fairness); Mahajan et al., NSDI 2020 "
        "(Themis)";
    static constexpr bool needs_run_times = true;
    static constexpr bool needs_rounds = true;
    static constexpr OptionInfo options[]{recompute_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(given.value(recompute_option));
    }

  private:
    class Decider : public SolverAllocator {
        using SolverAllocator::SolverAllocator;

        struct Past {
            std::int64_t work_left_ms{};
            double equal_speed{};    ///< since then
            double equal_share_ms{}; ///< time for the work done before, with equal shares
        };
        std::map<std::uint32_t, Past> past_;

        void forget() override { past_.clear(); }

        std::optional<Answer> answer(const AllocationView& view) override {
            std::map<std::uint32_t, Past> now;
            std::vector<double> left_ms, since_ms, alone_ms;
            for (const AllocationJob& job : view.jobs) {
                const double gpus = std::max(gpus_of(job), 1.0 / slots_per_gpu);
                Past next{job.work_left_ms, equal_share_speed(view, job, gpus), 0};
                const auto at = past_.find(job.job);
                if (at != past_.end() && at->second.equal_speed > 0) {
                    const Past& last = at->second;
                    next.equal_share_ms =
                        last.equal_share_ms +
                        static_cast<double>(last.work_left_ms - job.work_left_ms) /
                            last.equal_speed;
                }
                left_ms.push_back(static_cast<double>(job.work_left_ms));
                since_ms.push_back(static_cast<double>(view.now_ms - view.plan.submit_ms[job.job]));
                alone_ms.push_back(
                    next.equal_speed > 0
                        ? std::max(next.equal_share_ms + left_ms.back() / next.equal_speed, 1.0)
                        : std::numeric_limits<double>::infinity());
                now.emplace(job.job, next);
            }
            past_ = std::move(now);
            const auto at_ratio = [&](double ratio) {
                FractionProgram program{view};
                for (std::size_t job = 0; job < view.jobs.size(); ++job)
                    program.require_speed(job,
                                          left_ms[job] / (ratio * alone_ms[job] - since_ms[job]));
                return program.at_highest_level();
            };
            double low = 0;
            for (std::size_t job = 0; job < view.jobs.size(); ++job)
                low = std::max(low, since_ms[job] / alone_ms[job]);
            low += 1e-6;
            double high = std::max(2 * low, 1.0);
            // Ratios that the solver finds no shares for count as out of reach.
            const auto reaches = [](const std::optional<Answer>& one) {
                return one && one->level >= 1;
            };
            std::optional<Answer> best = at_ratio(high);
            while (!reaches(best) && high < 1e9) {
                low = high;
                high *= 2;
                best = at_ratio(high);
            }
            while (high - low > 1e-4 * high) {
                const double middle = (low + high) / 2;
                std::optional<Answer> next = at_ratio(middle);
                if (reaches(next)) {
                    high = middle;
                    best = std::move(next);
                } else {
                    low = middle;
                }
            }
            return best;
        }
    };
};

}} // namespace bursar::policies
