#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/fraction_key.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/option.hpp"

namespace bursar {

/// Serves the job most likely to end soon for the GPU time it will take, knowing how much it has
/// had and what jobs of this plan take in general, but not what this job takes: the largest Gittins
/// index
///
///     G(a) = max over d of  P(S <= a + d | S > a) / E[min(S - a, d) | S > a]
///
/// where S is the GPU time of the plan's jobs as they are believed to be, and a, a + d are the ends
/// of levels of service. Levels end at the distinct values of S, or at evenly spaced ranks among
/// them where there are more than `levels`; a job's index is that of its level's begin. Inside an
/// index running jobs keep their turn. Source: Gittins 1979; Aalto, Ayesta and Righter 2009 (for
/// queues); Gu et al., NSDI 2019 (Tiresias, section 3.3: in levels, by GPU time).
class GittinsIndexFirst {
  public:
    static constexpr std::string_view name = "gittins";
    static constexpr std::string_view summary =
        "most likely to end soon for its GPU time first, by the plan's own distribution; in levels";
    static constexpr std::string_view cost = "heads + log(running), one event per level change";
    static constexpr std::string_view source = "Gittins 1979; Tiresias (Gu et al., NSDI 2019)";
    static constexpr OrderTraits traits{
        .motion = KeyMotion::steps, .ties = Ties::turn, .preempts = true};

    static constexpr std::size_t most_levels = 64;
    static constexpr OptionInfo options[]{
        {.name = "levels",
         .kind = OptionKind::count,
         .fallback = {32},
         .meaning = "levels of service at most, at whose ends a job's index changes",
         .least = 1,
         .most = most_levels},
    };

    GittinsIndexFirst() = default;

    /// Works the indices out from the jobs of `plan`. Host only.
    static GittinsIndexFirst from(const PolicyOptions& given, const Plan& plan) {
        const PlanView view = view_of(plan);
        std::vector<std::int64_t> sizes(plan.num_jobs());
        for (std::uint32_t job = 0; job < view.num_jobs; ++job)
            sizes[job] = view.view(job).gpu_ms(Duration{view.believed_work_ms(job)});
        return {std::move(sizes), static_cast<std::size_t>(given.value(options[0]))};
    }

    /// sizes: GPU-ms per job.
    GittinsIndexFirst(std::vector<std::int64_t> sizes, std::size_t max_levels) {
        std::ranges::sort(sizes);
        std::vector<std::int64_t> distinct = sizes;
        distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
        if (!distinct.empty() && distinct.front() == 0)
            distinct.erase(distinct.begin());
        num_levels_ = static_cast<std::uint32_t>(std::min(distinct.size(), max_levels));
        for (std::size_t level = 0; level < num_levels_; ++level)
            end_[level] = distinct[(level + 1) * distinct.size() / num_levels_ - 1];
        work_out_keys(sizes);
    }

    /// The index upside down; who has had more than any job of the plan takes comes last.
    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        const std::uint32_t level = level_of(job);
        return level < num_levels_ ? key_[level] : ~std::uint64_t{0};
    }

    /// Rounded up: when it has passed, the level's end has been reached.
    [[nodiscard]] BURSAR_HD Duration until_key_changes(const JobView& job) const {
        const std::uint32_t level = level_of(job);
        if (level == num_levels_ || job.gpus == 0)
            return Duration{horizon_ms};
        return job.time_for(end_[level] - job.gpu_ms(job.attained));
    }

  private:
    /// As much as fraction_key takes: 2.4 million million GPU-years.
    static constexpr uint128 most_effort = (uint128{1} << 76U) - 1;

    /// The number of levels whose end the job's service has reached.
    [[nodiscard]] BURSAR_HD std::uint32_t level_of(const JobView& job) const {
        const std::int64_t attained = job.gpu_ms(job.attained);
        std::uint32_t level = 0;
        for (std::uint32_t above = num_levels_; level < above;) {
            const std::uint32_t middle = (level + above) / 2;
            if (end_[middle] <= attained)
                level = middle + 1;
            else
                above = middle;
        }
        return level;
    }

    /// sizes: ascending.
    void work_out_keys(const std::vector<std::int64_t>& sizes) {
        std::size_t done[most_levels + 1]{}; // jobs that end by the end of a level
        uint128 taken[most_levels + 1]{};    // their GPU time
        std::size_t job = 0;
        while (job < sizes.size() && sizes[job] == 0)
            ++job;
        uint128 sum = 0;
        done[0] = job;
        for (std::size_t level = 0; level < num_levels_; ++level) {
            for (; job < sizes.size() && sizes[job] <= end_[level]; ++job)
                sum += static_cast<std::uint64_t>(sizes[job]);
            done[level + 1] = job;
            taken[level + 1] = sum;
        }
        for (std::size_t level = 0; level < num_levels_; ++level) {
            const auto begin = static_cast<std::uint64_t>(level == 0 ? 0 : end_[level - 1]);
            std::uint64_t best = 0;
            for (std::size_t last = level; last < num_levels_; ++last) {
                const std::uint64_t ended = done[last + 1] - done[level];
                const std::uint64_t longer = sizes.size() - done[last + 1];
                const uint128 effort =
                    taken[last + 1] - taken[level] - uint128{ended} * begin +
                    uint128{longer} * (static_cast<std::uint64_t>(end_[last]) - begin);
                best = std::max(best, fraction_key(ended, std::min(effort, most_effort)));
            }
            key_[level] = ~best;
        }
    }

    std::int64_t end_[most_levels]{}; ///< of each level, GPU-ms, ascending
    std::uint64_t key_[most_levels]{};
    std::uint32_t num_levels_{};
};

} // namespace bursar
