#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"

namespace bursar::oracle {

/// Free GPUs, or the slot-milliseconds they add up to, by the reason for being idle.
struct IdleSplit {
    std::int64_t no_demand{};
    std::int64_t ineligible{};
    std::int64_t fragmented{};
    std::int64_t gang{};
    std::int64_t latency{};
};

/// The remaining demand of one pending job while idle GPUs are divided.
struct Demand {
    std::int64_t gpus{}; ///< size of the gang
    std::uint64_t permitted_pools{};
    std::int64_t left{};                        ///< GPUs not yet matched with idle ones
    std::size_t order_row{};                    ///< its order of pools
    std::uint64_t first_pools{permitted_pools}; ///< the pools permitted at first
    std::int64_t number{};                      ///< of its fallback; 0: none

    [[nodiscard]] bool is_permitted(std::size_t pool) const {
        return (permitted_pools >> pool & 1U) != 0;
    }
};

/// The order of demand: fewest permitted pools first, then by the names of those pools, smaller
/// gangs, order of pools, and number of the fallback.
inline bool shares_before(const std::vector<Pool>& pools, const Demand& a, const Demand& b) {
    const auto key = [&](const Demand& job) {
        std::vector<std::string> names;
        for (std::size_t pool = 0; pool < pools.size(); ++pool)
            if ((job.first_pools >> pool & 1U) != 0)
                names.push_back(pools[pool].name);
        std::sort(names.begin(), names.end());
        return std::tuple{names.size(), names, job.gpus, job.order_row, job.number};
    };
    return key(a) < key(b);
}

/// The reason of every free GPU if jobs that do not fit are skipped. Three rounds over the pending
/// jobs, each job's GPUs used once: permitted and no larger than what is free (fragmented, by
/// nodes), permitted and larger (gang), not permitted (ineligible). The rest has no demand. Pools
/// by name.
inline std::vector<IdleSplit> split_idle(const std::vector<Pool>& pools,
                                         const std::vector<std::int64_t>& free_gpus,
                                         std::vector<Demand> pending,
                                         CapacityRule capacity = CapacityRule::nodes) {
    std::vector<std::size_t> by_name(pools.size());
    for (std::size_t pool = 0; pool < pools.size(); ++pool)
        by_name[pool] = pool;
    std::sort(by_name.begin(), by_name.end(), [&](std::size_t a, std::size_t b) {
        return pools[a].name < pools[b].name;
    });
    std::stable_sort(pending.begin(), pending.end(), [&](const Demand& a, const Demand& b) {
        return shares_before(pools, a, b);
    });

    std::vector<IdleSplit> split(pools.size());
    std::vector<std::int64_t> unnamed = free_gpus;
    const auto name_reason = [&](std::int64_t IdleSplit::*reason, auto applies) {
        for (Demand& job : pending) {
            for (const std::size_t pool : by_name) {
                if (!applies(job, pool))
                    continue;
                const std::int64_t part = std::min(job.left, unnamed[pool]);
                job.left -= part;
                unnamed[pool] -= part;
                split[pool].*reason += part;
            }
        }
    };
    name_reason(&IdleSplit::fragmented, [&](const Demand& job, std::size_t pool) {
        return capacity == CapacityRule::nodes && job.is_permitted(pool) &&
               job.gpus <= free_gpus[pool];
    });
    name_reason(&IdleSplit::gang, [&](const Demand& job, std::size_t pool) {
        return job.is_permitted(pool) && job.gpus > free_gpus[pool];
    });
    name_reason(&IdleSplit::ineligible,
                [](const Demand& job, std::size_t pool) { return !job.is_permitted(pool); });
    for (std::size_t pool = 0; pool < pools.size(); ++pool)
        split[pool].no_demand = unnamed[pool];
    return split;
}

} // namespace bursar::oracle
