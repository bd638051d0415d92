#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/topology/fabric.hpp"

namespace bursar { inline namespace models {

/// The medium of a group: the fewest kinds of devices that join its GPUs.
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

/// One locality level: a division of a fabric's units into groups. Kinds of enclosures with the
/// same GPUs (a rack of one NVLink domain) name the same level. If no enclosure is called "nvlink",
/// the widest level that NVLink joins gets that as its innermost name.
struct LocalityLevel {
    std::vector<std::string> names; ///< from the inside out: {"nvlink", "rack"}
    std::vector<std::uint32_t>
        group_of_unit; ///< numbered from 0 in the order of units: never falls
    std::vector<std::uint32_t>
        enclosure;                  ///< per group: the outermost enclosure with exactly its GPUs
    std::int64_t min_gpus{};        ///< in its smallest group
    std::int64_t max_gpus{};        ///< in its largest
    Medium medium{Medium::network}; ///< the medium that joins its groups

    [[nodiscard]] std::size_t num_groups() const { return enclosure.size(); }
    [[nodiscard]] bool is_called(std::string_view name) const;
};

/// The locations of the GPUs of a fabric, for placing gangs.
///
/// A unit is the smallest enclosure: the node, or where nodes hold several NVLink domains, the
/// domain. Units are numbered enclosure by enclosure, so that every group is a contiguous range.
struct Locality {
    std::uint32_t gpus_per_unit{};
    std::uint32_t units_per_node{1};
    /// Narrowest first: groups nest, each level has fewer of them than the one before; the last is
    /// one group, "fabric".
    std::vector<LocalityLevel> levels;
    std::vector<std::uint32_t> gpus; ///< device numbers, unit by unit

    [[nodiscard]] std::size_t num_units() const { return gpus.size() / gpus_per_unit; }
    [[nodiscard]] std::size_t num_nodes() const { return num_units() / units_per_node; }
    /// The level of that name; levels.size() if there is none.
    [[nodiscard]] std::size_t find(std::string_view name) const;
    /// The narrowest level with a group of at least `gpus` GPUs; levels.size() if there is none.
    [[nodiscard]] std::size_t narrowest_for(std::int64_t gpus) const;
    /// The group `group` of `level` as [first, last) of `gpus`.
    [[nodiscard]] std::pair<std::size_t, std::size_t> gpus_of(std::size_t level,
                                                              std::uint32_t group) const;
};

inline constexpr std::string_view node_word = "node";     ///< what a node's enclosure is called
inline constexpr std::string_view fabric_word = "fabric"; ///< the outermost level

/// The locality levels of a fabric, from its enclosures.
///
/// Throws ModelError ("devices", "links"): no GPU; GPUs that are not in enclosures of the same
/// words; none of them called "node"; enclosures of one kind with unequal numbers of GPUs where
/// they are nodes or in nodes; devices that are not connected to the rest.
[[nodiscard]] Locality locality_of(const Fabric& fabric);

}} // namespace bursar::models
