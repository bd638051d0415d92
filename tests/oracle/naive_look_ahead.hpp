#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_turns.hpp"

namespace bursar::oracle {

/// Between two rounds, or after an allocator's decision: jobs that could start now, in order, until
/// one cannot under a blocking head.
class LookAhead {
  public:
    LookAhead(const Cluster& cluster, const NaiveRules& rules, NaiveOrder& order, Turns& turns)
        : cluster_{cluster}, rules_{rules}, order_{order}, turns_{turns} {}

    void forget() {
        gpus_.assign(cluster_.pools.size(), 0);
        jobs_.clear();
    }

    void look() {
        forget();
        std::vector<FreeGpus> room = cluster_.free;
        const TenantUse use = order_.use;
        std::vector<bool> seen(cluster_.jobs.size(), false);
        while (const auto job = next(seen)) {
            seen[*job] = true;
            const auto pool = cluster_.pool_in(room, *job, rules_.pools_for(*job));
            if (!pool && rules_.blocks())
                break;
            if (!pool)
                continue;
            room[*pool].take(*cluster_.place_in(room[*pool], *job));
            order_.use.note(*job, 1); // the order depends on use
            gpus_[*pool] += cluster_.requests[*job].gpus;
            jobs_.push_back(*job);
        }
        order_.use.restore(use);
    }

    /// GPUs of a pool that they would take.
    [[nodiscard]] std::int64_t gpus(std::size_t pool) const {
        return gpus_.empty() ? 0 : gpus_[pool];
    }
    [[nodiscard]] std::size_t num_jobs() const { return jobs_.size(); }
    [[nodiscard]] bool contains(std::size_t job) const {
        return std::find(jobs_.begin(), jobs_.end(), job) != jobs_.end();
    }

  private:
    [[nodiscard]] std::optional<std::size_t> next(const std::vector<bool>& seen) const {
        const auto is_new = [&](std::size_t job) {
            return cluster_.jobs[job].phase == Phase::pending && !seen[job];
        };
        if (rules_.stop != Stop::order)
            return order_.first_where(is_new);
        const std::vector<std::size_t> line = turns_.in_order();
        const auto at = std::find_if(line.begin(), line.end(), is_new);
        return at == line.end() ? std::nullopt : std::optional{*at};
    }

    const Cluster& cluster_;
    const NaiveRules& rules_;
    NaiveOrder& order_;
    Turns& turns_;
    std::vector<std::int64_t> gpus_; ///< by pool
    std::vector<std::size_t> jobs_;
};

} // namespace bursar::oracle
