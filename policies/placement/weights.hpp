#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/node_view.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Weights of CPU and memory relative to GPUs (1) in sums of the three. Each amount is first
/// divided by that of the largest node.
struct ResourceWeights {
    static constexpr OptionInfo cpu_option{.name = "cpu_weight",
                                           .kind = OptionKind::milli,
                                           .fallback = {1000},
                                           .meaning = "weight of CPU, relative to 1 for GPUs",
                                           .max = 1'000'000};
    static constexpr OptionInfo memory_option{.name = "memory_weight",
                                              .kind = OptionKind::milli,
                                              .fallback = {1000},
                                              .meaning = "weight of memory, relative to 1 for GPUs",
                                              .max = 1'000'000};

    std::int64_t cpu_milli{1000};
    std::int64_t memory_milli{1000};

    static ResourceWeights from(const PolicyOptions& options) {
        return {options.value(cpu_option), options.value(memory_option)};
    }
};

/// A share of the largest amount, in 2^-20.
BURSAR_HD constexpr std::int64_t share_of(std::int64_t amount, std::int64_t capacity) {
    return capacity == 0 ? 0 : (amount << 20U) / capacity;
}

/// Weighted free resources of a node, each as a share of the largest node's; in thousandths of
/// 2^-20.
BURSAR_HD inline std::int64_t
weighted_free(const FleetView& fleet, const NodeView& node, const ResourceWeights& weights) {
    return 1000 * share_of(node.free_slots, fleet.max_slots) +
           weights.cpu_milli * share_of(node.cpu_milli, fleet.max_cpu_milli) +
           weights.memory_milli * share_of(node.memory_mib, fleet.max_memory_mib);
}

}} // namespace bursar::policies
