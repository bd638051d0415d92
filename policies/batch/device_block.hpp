#pragma once

#include <cstddef>
#include <vector>

#include "policies/batch/run_batch.hpp"

namespace bursar { inline namespace policies {

/// A block of a device's memory.
class DeviceBlock {
  public:
    DeviceBlock(BatchDevice& device, std::size_t bytes)
        : device_{device}, block_{device.allocate(bytes)} {}
    ~DeviceBlock() { device_.release(block_); }
    DeviceBlock(const DeviceBlock&) = delete;
    DeviceBlock& operator=(const DeviceBlock&) = delete;

    [[nodiscard]] std::byte* get() const { return block_; }

  private:
    BatchDevice& device_;
    std::byte* block_;
};

inline constexpr std::size_t line_bytes = 64;

constexpr std::size_t whole_lines(std::size_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

/// Host memory that is written as it will lie in a block of the device.
struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];
};
inline std::byte* bytes_of(std::vector<Line>& lines) {
    return reinterpret_cast<std::byte*>(lines.data());
}

}} // namespace bursar::policies
