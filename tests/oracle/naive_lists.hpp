#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// Lists of service: a job is in the first one whose limit it has not attained. Queues end at
/// given limits; Order::las serves them in sequence. Order::gittins divides them further by levels
/// of service, and serves the lists of a queue by the Gittins index of their level.
class ServiceLists {
  public:
    ServiceLists(const Cluster& cluster, const NaiveRules& rules)
        : cluster_{cluster}, rules_{rules},
          by_gpu_time_{rules.order == Order::gittins || rules.las_by_gpu_time} {
        if (rules.order == Order::gittins)
            find_indices();
        limits_ = level_ends_;
        limits_.insert(limits_.end(), rules.queue_limits.begin(), rules.queue_limits.end());
        std::sort(limits_.begin(), limits_.end());
        limits_.erase(std::unique(limits_.begin(), limits_.end()), limits_.end());
    }

    [[nodiscard]] std::int64_t weight(std::size_t job) const {
        return by_gpu_time_ ? cluster_.requests[job].gpus : 1;
    }
    [[nodiscard]] std::size_t list_of(std::size_t job) const {
        return number_passed(limits_, cluster_.attained_ms(job) * weight(job));
    }

    /// The limit at which a job leaves the list, as far as the rules wake for it; no_limit: none.
    static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    [[nodiscard]] std::int64_t limit(std::size_t list) const {
        if (rules_.wake == WakeRule::exact)
            return list < limits_.size() ? limits_[list] : no_limit;
        const std::size_t queue = queue_of(list);
        return queue < rules_.queue_limits.size() ? rules_.queue_limits[queue] : no_limit;
    }

    /// Whether jobs of list `a` go before those of `b`.
    [[nodiscard]] bool goes_before(std::size_t a, std::size_t b) const {
        if (rules_.order == Order::las || queue_of(a) != queue_of(b))
            return queue_of(a) < queue_of(b);
        const Index first = index_of_list(a);
        const Index second = index_of_list(b);
        return first.ended * second.effort > second.ended * first.effort;
    }

  private:
    /// Number of jobs that end, over the GPU time needed.
    struct Index {
        __int128 ended{};
        __int128 effort{1};
    };

    static std::size_t number_passed(const std::vector<std::int64_t>& limits,
                                     std::int64_t attained) {
        std::size_t passed = 0;
        while (passed < limits.size() && attained >= limits[passed])
            ++passed;
        return passed;
    }
    [[nodiscard]] std::int64_t begin_of(std::size_t list) const {
        return list == 0 ? 0 : limits_[list - 1];
    }
    [[nodiscard]] std::size_t queue_of(std::size_t list) const {
        return number_passed(rules_.queue_limits, begin_of(list));
    }
    /// Past the last level it is 0.
    [[nodiscard]] Index index_of_list(std::size_t list) const {
        const std::size_t level = number_passed(level_ends_, begin_of(list));
        return level < indices_.size() ? indices_[level] : Index{};
    }

    /// Levels end at the sizes of jobs; if fewer are allowed than there are sizes, at evenly spaced
    /// ones.
    void find_indices() {
        std::vector<std::int64_t> sizes = rules_.sizes;
        for (const Request& request : cluster_.requests)
            if (rules_.sizes.empty())
                sizes.push_back(request.gpus * request.believed_work_ms());
        std::vector<std::int64_t> ends = sizes;
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        std::erase(ends, 0);
        const std::size_t num = std::min(ends.size(), rules_.max_lists);
        for (std::size_t level = 0; level < num; ++level)
            level_ends_.push_back(ends[(level + 1) * ends.size() / num - 1]);
        for (std::size_t level = 0; level < num; ++level)
            indices_.push_back(
                rules_.delta_ms > 0
                    ? index_ahead(level_ends_[level] - 1'000, sizes)
                    : best_index(level == 0 ? 0 : level_ends_[level - 1], level, sizes));
    }

    /// The maximum over all stopping times.
    [[nodiscard]] Index best_index(std::int64_t attained,
                                   std::size_t level,
                                   const std::vector<std::int64_t>& sizes) const {
        Index best;
        for (; level < level_ends_.size(); ++level) {
            Index here{0, 0};
            for (const std::int64_t size : sizes) {
                if (size <= attained)
                    continue;
                here.ended += size <= level_ends_[level] ? 1 : 0;
                here.effort += std::min(size, level_ends_[level]) - attained;
            }
            if (here.ended * best.effort > best.ended * here.effort)
                best = here;
        }
        return best;
    }

    /// As Tiresias' simulator counts it: jobs that end within delta_ms with their whole size.
    [[nodiscard]] Index index_ahead(std::int64_t attained,
                                    const std::vector<std::int64_t>& sizes) const {
        attained = std::max<std::int64_t>(attained, 0);
        Index index{0, 0};
        for (const std::int64_t size : sizes) {
            if (size <= attained)
                continue;
            const bool ends = size <= attained + rules_.delta_ms;
            index.ended += ends ? 1 : 0;
            index.effort += ends ? size : rules_.delta_ms;
        }
        return index;
    }

    const Cluster& cluster_;
    const NaiveRules& rules_;
    bool by_gpu_time_;
    std::vector<std::int64_t> level_ends_; ///< ascending; GPU-ms
    std::vector<Index> indices_;           ///< of each level
    std::vector<std::int64_t> limits_;     ///< of lists, ascending; ms, or GPU-ms
};

} // namespace bursar::oracle
