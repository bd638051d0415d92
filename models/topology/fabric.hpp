#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/physics.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// Kinds of devices, in the order of drawings: outermost last.
enum class DeviceKind : std::uint8_t {
    gpu,
    nvswitch, ///< a switch of the links between GPUs (NVSwitch, Infinity Fabric)
    pcie,     ///< a PCIe switch or root
    cpu,
    nic,           ///< a network adapter
    network_switch ///< of the network between nodes; also the router of a node in a torus
};
inline constexpr std::size_t num_device_kinds = 6;
inline constexpr std::array<std::string_view, num_device_kinds> device_kind_names{
    "gpu", "nvswitch", "pcie", "cpu", "nic", "switch"};

/// A container of devices: a node, a rack, a pod. Enclosures nest; number 0 is the whole fabric and
/// its own parent.
struct Enclosure {
    std::string name;       ///< "rack[3]"
    std::uint32_t parent{}; ///< number of the enclosure around it
};

struct Device {
    std::string name; ///< within its enclosure: "gpu[3]"
    DeviceKind kind{};
    std::uint32_t enclosure{};
};

/// A cable, or several as one: full duplex, so each direction has all of `bandwidth`.
struct FabricLink {
    std::uint32_t from{};
    std::uint32_t to{};
    ByteRate bandwidth{}; ///< of one direction, > 0
    /// Latency of a message, >= 0; absent: unknown.
    std::optional<Seconds> latency;
};

/// A graph of devices and links. Plain data; FabricBuilder makes one.
struct Fabric {
    std::string name;
    std::vector<Enclosure> enclosures; ///< parents before what is in them; never empty
    std::vector<Device> devices;
    std::vector<FabricLink> links;

    /// The path of a device through its enclosures: "rack[0]/node[3]/gpu[1]".
    [[nodiscard]] std::string path(std::uint32_t device) const;
    [[nodiscard]] std::size_t count(DeviceKind kind) const;
};

/// "rack" of "rack[3]".
[[nodiscard]] std::string_view word_of(std::string_view name);

/// Makes a fabric of paths. Enclosures appear with the first device in them.
///
/// Throws ModelError ("devices", "links", "bandwidth", "latency"): a device that is there twice, a
/// link to nothing, a device linked with itself, a bandwidth that is not above zero, a latency
/// below zero, more devices or links than `max_devices` and `max_links`.
class FabricBuilder {
  public:
    static constexpr std::size_t max_devices = 4'000'000;
    static constexpr std::size_t max_links = 8'000'000;

    explicit FabricBuilder(std::string name);

    /// The enclosure of that path, created if missing; "" is the whole fabric.
    std::uint32_t enclosure(std::string_view path);
    std::uint32_t device(std::uint32_t enclosure, std::string_view name, DeviceKind kind);
    std::uint32_t device(std::string_view path, DeviceKind kind);
    void
    link(std::uint32_t from, std::uint32_t to, ByteRate bandwidth, std::optional<Seconds> latency);
    void link(std::string_view from,
              std::string_view to,
              ByteRate bandwidth,
              std::optional<Seconds> latency);

    [[nodiscard]] const Fabric& view() const { return fabric_; }
    [[nodiscard]] Fabric take() { return std::move(fabric_); }

  private:
    using Member = std::pair<std::uint32_t, std::string>; ///< enclosure, name in it

    [[nodiscard]] std::uint32_t device_at(std::string_view path) const;

    Fabric fabric_;
    std::map<Member, std::uint32_t, std::less<>> enclosures_;
    std::map<Member, std::uint32_t, std::less<>> devices_;
};

}} // namespace bursar::models
