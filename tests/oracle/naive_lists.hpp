#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// Lists of service: a job is in the first one whose limit it has not attained. Order::las serves
/// them in sequence, Order::gittins by the Gittins index at their begins.
class ServiceLists {
  public:
    ServiceLists(const Cluster& cluster, const NaiveRules& rules)
        : cluster_{cluster}, by_gpu_time_{rules.order == Order::gittins || rules.las_by_gpu_time} {
        if (rules.order == Order::las)
            limits_ = rules.las_limits;
        if (rules.order == Order::gittins)
            find_indices(rules.max_lists);
    }

    [[nodiscard]] bool is_last(std::size_t list) const { return list == limits_.size(); }
    [[nodiscard]] std::int64_t limit(std::size_t list) const { return limits_[list]; }
    [[nodiscard]] std::int64_t weight(std::size_t job) const {
        return by_gpu_time_ ? cluster_.requests[job].gpus : 1;
    }
    [[nodiscard]] std::size_t list_of(std::size_t job) const {
        const std::int64_t attained = cluster_.attained_ms(job) * weight(job);
        std::size_t list = 0;
        while (!is_last(list) && attained >= limits_[list])
            ++list;
        return list;
    }

    /// Whether jobs of list `a` go before those of `b`.
    [[nodiscard]] bool goes_before(std::size_t a, std::size_t b) const {
        if (indices_.empty())
            return a < b;
        if (is_last(a) || is_last(b))
            return !is_last(a) && is_last(b);
        return indices_[a].ended * indices_[b].effort > indices_[b].ended * indices_[a].effort;
    }

  private:
    /// Number of jobs that end, over the GPU time needed.
    struct Index {
        __int128 ended{};
        __int128 effort{1};
    };

    /// Lists end at the believed sizes of jobs; if fewer lists are allowed than there are sizes, at
    /// evenly spaced ones.
    void find_indices(std::size_t max_lists) {
        std::vector<std::int64_t> sizes;
        for (const Request& request : cluster_.requests)
            sizes.push_back(request.gpus * request.believed_work_ms());
        std::vector<std::int64_t> ends = sizes;
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        std::erase(ends, 0);
        const std::size_t num = std::min(ends.size(), max_lists);
        for (std::size_t list = 0; list < num; ++list)
            limits_.push_back(ends[(list + 1) * ends.size() / num - 1]);
        for (std::size_t list = 0; list < num; ++list)
            indices_.push_back(index_of(list == 0 ? 0 : limits_[list - 1], list, sizes));
    }

    /// The maximum over all stopping times.
    [[nodiscard]] Index index_of(std::int64_t attained,
                                 std::size_t list,
                                 const std::vector<std::int64_t>& sizes) const {
        Index best;
        for (; list < limits_.size(); ++list) {
            Index here{0, 0};
            for (const std::int64_t size : sizes) {
                if (size <= attained)
                    continue;
                here.ended += size <= limits_[list] ? 1 : 0;
                here.effort += std::min(size, limits_[list]) - attained;
            }
            if (here.ended * best.effort > best.ended * here.effort)
                best = here;
        }
        return best;
    }

    const Cluster& cluster_;
    bool by_gpu_time_;
    std::vector<std::int64_t> limits_; ///< ascending; ms, or GPU-ms
    std::vector<Index> indices_;       ///< of each list but the last
};

} // namespace bursar::oracle
