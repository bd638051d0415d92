#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/html/time_bins.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Neighbouring nodes of a pool that are shown as one: [first, end), numbered from 0.
struct NodeGroup {
    std::size_t pool{};
    std::uint32_t first{}, end{};

    [[nodiscard]] std::uint32_t size() const { return end - first; }
    bool operator==(const NodeGroup&) const = default;
};

/// What jobs held of the nodes of the pools, over the bins of a chart.
struct NodeTime {
    std::vector<NodeGroup> groups;  ///< pool by pool, all of one size but the last of each pool;
                                    ///< empty where nobody recorded nodes
    std::uint32_t nodes_a_group{1}; ///< that size
    std::vector<std::int64_t> held; ///< slot-milliseconds, group by group and bin by bin

    /// Shares of the slots of a group: of a bin, and of the whole run.
    [[nodiscard]] double
    share(const Result& result, const TimeBins& time, std::size_t group, std::size_t bin) const;
    [[nodiscard]] double share(const Result& result, const TimeBins& time, std::size_t group) const;
};

/// Of the largest pools, in as many groups as there may be. Of pools whose nodes come and go, the
/// nodes after the last that was ever held are left out. most_groups: >= 1.
[[nodiscard]] NodeTime
node_time(const Result& result, const TimeBins& time, std::size_t most_groups);

/// "node 3 of owned", "nodes 4-7 of owned"
[[nodiscard]] std::string node_group_title(const Result& result, const NodeGroup& group);
/// "3", "4-7"
[[nodiscard]] std::string node_numbers(const NodeGroup& group);

}} // namespace bursar::reports
