#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/html/time_bins.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Neighbouring nodes of a pool that share a row: [first, end), numbered from 0.
struct NodeGroup {
    std::size_t pool{};
    std::uint32_t first{}, end{};

    [[nodiscard]] std::uint32_t size() const { return end - first; }
    bool operator==(const NodeGroup&) const = default;
};

/// Slot time that jobs held on nodes, over the bins of a chart.
struct NodeTime {
    std::vector<NodeGroup> groups;  ///< by pool, of equal size except the last of each pool; empty
                                    ///< where nodes were not recorded
    std::uint32_t nodes_a_group{1}; ///< that size
    std::vector<std::int64_t> held; ///< slot-milliseconds, by group and then by bin

    /// Shares of the slots of a group: of a bin, and of the whole run.
    [[nodiscard]] double
    share(const Result& result, const TimeBins& time, std::size_t group, std::size_t bin) const;
    [[nodiscard]] double share(const Result& result, const TimeBins& time, std::size_t group) const;
};

/// Over the largest pools, in at most `most_groups` groups, >= 1. Of pools whose nodes come and go,
/// nodes after the last that was ever held are left out.
[[nodiscard]] NodeTime
node_time(const Result& result, const TimeBins& time, std::size_t most_groups);

/// "node 3 of owned", "nodes 4-7 of owned"
[[nodiscard]] std::string node_group_title(const Result& result, const NodeGroup& group);
/// "3", "4-7"
[[nodiscard]] std::string node_numbers(const NodeGroup& group);

}} // namespace bursar::reports
