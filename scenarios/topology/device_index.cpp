#include "scenarios/topology/device_index.hpp"

#include <algorithm>

namespace bursar { inline namespace scenarios {

void DeviceIndex::add(const std::string& shape,
                      std::span<const std::int64_t> indices,
                      std::uint32_t device) {
    DevicesOfShape& own = shapes_[shape];
    own.sizes.resize(indices.size(), 0);
    own.devices.push_back(device);
    own.indices.insert(own.indices.end(), indices.begin(), indices.end());
    for (std::size_t i = 0; i < indices.size(); ++i)
        own.sizes[i] = std::max(own.sizes[i], indices[i] + 1);
}

const DevicesOfShape* DeviceIndex::find(std::string_view shape) const {
    const auto found = shapes_.find(shape);
    return found == shapes_.end() ? nullptr : &found->second;
}

std::vector<std::string> DeviceIndex::shapes() const {
    std::vector<std::string> shapes;
    for (const auto& [shape, devices] : shapes_)
        shapes.push_back(shape);
    return shapes;
}

}} // namespace bursar::scenarios
