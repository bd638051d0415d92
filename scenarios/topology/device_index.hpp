#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/topology/name_pattern.hpp"

namespace bursar { inline namespace scenarios {

/// The devices of one shape of name, by their indices.
struct DevicesOfShape {
    std::vector<std::uint32_t> devices;
    std::vector<std::int64_t> indices; ///< `sizes.size()` per device
    std::vector<std::int64_t> sizes;   ///< per position: the largest index and one

    [[nodiscard]] std::span<const std::int64_t> indices_of(std::size_t device) const {
        return std::span{indices}.subspan(device * sizes.size(), sizes.size());
    }
};

/// The devices of a fabric by the shape of their names.
class DeviceIndex {
  public:
    void add(const std::string& shape, std::span<const std::int64_t> indices, std::uint32_t device);

    /// Null: no device has a name of that shape.
    [[nodiscard]] const DevicesOfShape* find(std::string_view shape) const;
    [[nodiscard]] std::vector<std::string> shapes() const;

  private:
    std::map<std::string, DevicesOfShape, std::less<>> shapes_;
};

}} // namespace bursar::scenarios
