#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Serves jobs in the order of their submission; ties by input order.
struct FirstComeFirstServed {
    static constexpr std::string_view name = "fifo";
    static constexpr std::string_view summary = "in submit order";
    static constexpr std::string_view cost = "constant with a blocking head, else as sjf";
    static constexpr std::string_view source =
        "Erlang 1917; the order that every cluster scheduler starts from";
    static constexpr OrderTraits traits{};

    /// Equal for all jobs: the queue breaks ties by submit order.
    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView&) const { return 0; }
};

}} // namespace bursar::policies
