#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/topology/fabric.hpp"

namespace bursar { inline namespace models {

/// What the GPUs of a group reach each other by: the fewest kinds of devices that join them.
enum class Medium : std::uint8_t {
    nvlink, ///< links of GPUs and their switches
    pcie,   ///< the hosts' PCIe switches and CPUs
    network ///< adapters and switches between nodes
};
inline constexpr std::array<std::string_view, 3> medium_names{"nvlink", "pcie", "network"};

/// Whether traffic of a medium may pass a device of that kind.
[[nodiscard]] constexpr bool carries(Medium medium, DeviceKind kind) {
    const bool network = kind == DeviceKind::nic || kind == DeviceKind::network_switch;
    const bool host = kind == DeviceKind::pcie || kind == DeviceKind::cpu;
    return medium == Medium::network || (!network && (medium == Medium::pcie || !host));
}

}} // namespace bursar::models
