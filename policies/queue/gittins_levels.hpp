#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

#include "sim/engine/order/fraction_key.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/job_order_view.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"

#include "policies/rules/gittins.hpp"

namespace bursar { inline namespace policies {

/// A GittinsRule with its levels of service, worked out from the sizes of jobs. Host only.
class GittinsLevels {
  public:
    static constexpr OrderTraits traits = GittinsRule::traits;
    static constexpr std::size_t max_levels = 4096;

    /// sizes: GPU-ms per job. levels: 1 .. max_levels. delta_ms: GPU-ms by which Tiresias'
    /// simulator looks ahead; 0: as far as is best (policies/queue/gittins.hpp).
    GittinsLevels(std::vector<std::int64_t> sizes,
                  std::size_t levels,
                  std::int64_t delta_ms = 0,
                  const GittinsRule& rule = {})
        : sizes_{std::move(sizes)}, rule_{rule} {
        std::ranges::sort(sizes_);
        for (const std::int64_t size : sizes_)
            sum_.push_back(sum_.back() + static_cast<std::uint64_t>(size));
        std::vector<std::int64_t> distinct = sizes_;
        distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
        if (!distinct.empty() && distinct.front() == 0)
            distinct.erase(distinct.begin());
        const std::size_t num = std::min(distinct.size(), levels);
        for (std::size_t level = 0; level < num; ++level)
            levels_.end.push_back(distinct[(level + 1) * distinct.size() / num - 1]);
        for (std::size_t level = 0; level < num; ++level)
            levels_.key.push_back(GittinsRule::last_key - (delta_ms > 0
                                                               ? fixed_index(level, delta_ms)
                                                               : best_index(level)));
    }

    /// To be copied into the order of a run.
    [[nodiscard]] const ServiceLevels& service() const { return levels_; }

    /// The rule, valid as long as this.
    [[nodiscard]] GittinsRule rule() const {
        GittinsRule rule = rule_;
        rule.read_levels({.service_end = levels_.end.data(),
                          .service_key = levels_.key.data(),
                          .num_service_levels = static_cast<std::uint32_t>(levels_.end.size())});
        return rule;
    }
    [[nodiscard]] OrderTraits own_traits() const { return rule_.own_traits(); }
    [[nodiscard]] std::uint64_t key(const JobView& job) const { return rule().key(job); }
    [[nodiscard]] Duration until_key_changes(const JobView& job) const {
        return rule().until_key_changes(job);
    }
    [[nodiscard]] bool tests_at_events() const { return rule_.tests_at_events(); }

  private:
    /// The limit of fraction_key: 2.4e12 GPU-years.
    static constexpr uint128 max_effort = (uint128{1} << 76U) - 1;

    /// Jobs of at most that size.
    [[nodiscard]] std::size_t num_up_to(std::int64_t size) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(sizes_, size) - sizes_.begin());
    }

    /// The most jobs that end per GPU time, over all levels to which a job of this one may go on.
    [[nodiscard]] std::uint64_t best_index(std::size_t level) const {
        const std::int64_t begin = level == 0 ? 0 : levels_.end[level - 1];
        const std::size_t done = num_up_to(begin);
        std::uint64_t best = 0;
        std::size_t until = done;
        for (std::size_t last = level; last < levels_.end.size(); ++last) {
            const std::int64_t end = levels_.end[last];
            while (until < sizes_.size() && sizes_[until] <= end)
                ++until;
            const std::uint64_t ended = until - done;
            const uint128 effort =
                sum_[until] - sum_[done] - uint128{ended} * static_cast<std::uint64_t>(begin) +
                uint128{sizes_.size() - until} * static_cast<std::uint64_t>(end - begin);
            best = std::max(best, fraction_key(ended, std::min(effort, max_effort)));
        }
        return best;
    }

    /// The index of Tiresias' simulator at one second before the end of a level. Jobs that end
    /// within delta count with their whole size, the others with delta.
    [[nodiscard]] std::uint64_t fixed_index(std::size_t level, std::int64_t delta_ms) const {
        const std::int64_t at = std::max<std::int64_t>(levels_.end[level] - second.count(), 0);
        const std::size_t done = num_up_to(at);
        const std::size_t until = num_up_to(at + delta_ms);
        const uint128 effort =
            sum_[until] - sum_[done] +
            uint128{sizes_.size() - until} * static_cast<std::uint64_t>(delta_ms);
        return fraction_key(until - done, std::min(effort, max_effort));
    }

    std::vector<std::int64_t> sizes_; ///< ascending
    std::vector<uint128> sum_{0};     ///< of the first sizes
    ServiceLevels levels_;
    GittinsRule rule_;
};

}} // namespace bursar::policies
