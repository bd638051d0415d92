#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/fraction_key.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Serves the job that is worth the most per GPU-hour of its work; jobs without a value come
/// last; ties by submit order. The key is fixed: work already done counts, too. Source:
/// Jensen, Locke and Tokuda 1985 (value density); Dantzig 1957 (the greedy order of the fractional
/// knapsack).
struct HighestValueDensityFirst {
    static constexpr std::string_view name = "value-density";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "most value per GPU-hour of a job's work first; ties by submit order";
    static constexpr std::string_view needs = "value";
    static constexpr std::string_view cost = "heads: one per gang shape with waiting jobs";
    static constexpr std::string_view source = "Jensen, Locke and Tokuda 1985; Dantzig 1957";
    static constexpr OrderTraits traits{};

    /// The density, inverted. Equal densities tie exactly (fraction_key.hpp).
    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        uint128 gpu_ms = uint128{job.gpus} * static_cast<std::uint64_t>(job.remaining.count());
        if (job.gpu_slots < slots_per_gpu)
            gpu_ms = gpu_ms * job.gpu_slots / slots_per_gpu;
        if (job.value_nano_usd == 0)
            return ~std::uint64_t{0};
        if (gpu_ms == 0)
            return 0;
        return ~fraction_key(static_cast<std::uint64_t>(job.value_nano_usd), gpu_ms);
    }
};

}} // namespace bursar::policies
