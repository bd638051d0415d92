#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Serves the gang with the fewest GPUs; ties by submit order. Packs well and starves large gangs.
/// Source: Majumdar, Eager and Bunt 1988, "Scheduling in multiprogrammed parallel systems"
/// (smallest number of processes first).
struct SmallestGangFirst {
    static constexpr std::string_view name = "smallest";
    static constexpr std::string_view summary = "fewest GPUs first; ties by submit order";
    static constexpr std::string_view cost = "heads: one per gang shape with waiting jobs";
    static constexpr std::string_view source = "Majumdar, Eager and Bunt 1988 (SNPF)";
    static constexpr OrderTraits traits{};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return std::uint64_t{job.gpus} * job.gpu_slots;
    }
};

}} // namespace bursar::policies
