#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/fraction_key.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace policies {

/// The Gittins index of a job by the level of service it has reached (policies/queue/gittins.hpp).
class GittinsRule {
  public:
    static constexpr OrderTraits traits{
        .motion = KeyMotion::steps, .ties = Ties::turn, .preempts = true};
    static constexpr std::size_t max_levels = 64;

    GittinsRule() = default;
    /// sizes: GPU-ms per job. levels: 1 .. max_levels.
    GittinsRule(std::vector<std::int64_t> sizes, std::size_t levels) {
        std::ranges::sort(sizes);
        std::vector<std::int64_t> distinct = sizes;
        distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
        if (!distinct.empty() && distinct.front() == 0)
            distinct.erase(distinct.begin());
        num_levels_ = static_cast<std::uint32_t>(std::min(distinct.size(), levels));
        for (std::size_t level = 0; level < num_levels_; ++level)
            end_[level] = distinct[(level + 1) * distinct.size() / num_levels_ - 1];
        work_out_keys(sizes);
    }

    /// The index, inverted. A job with more service than the largest job of the plan comes last.
    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        const std::uint32_t level = level_of(job);
        return level < num_levels_ ? key_[level] : ~std::uint64_t{0};
    }

    /// Rounded up, so that the end of the level is reached by then.
    [[nodiscard]] BURSAR_HD Duration until_key_changes(const JobView& job) const {
        const std::uint32_t level = level_of(job);
        if (level == num_levels_ || job.gpus == 0)
            return Duration{horizon_ms};
        return job.time_for(end_[level] - job.gpu_ms(job.attained));
    }

  private:
    /// The limit of fraction_key: 2.4e12 GPU-years.
    static constexpr uint128 max_effort = (uint128{1} << 76U) - 1;

    /// Levels whose end the job's service has reached.
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
        std::size_t done[max_levels + 1]{}; // jobs that end by the end of a level
        uint128 taken[max_levels + 1]{};    // their GPU time
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
                best = std::max(best, fraction_key(ended, std::min(effort, max_effort)));
            }
            key_[level] = ~best;
        }
    }

    std::int64_t end_[max_levels]{}; ///< of each level, GPU-ms, ascending
    std::uint64_t key_[max_levels]{};
    std::uint32_t num_levels_{};
};

}} // namespace bursar::policies
