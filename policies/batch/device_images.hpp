#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sim/batch/image_writer.hpp"
#include "sim/engine/queues/job_order_view.hpp"
#include "sim/plan/plan_view.hpp"

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

/// Host memory with the content of a block of the device.
struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];
};
inline std::byte* bytes_of(std::vector<Line>& lines) {
    return reinterpret_cast<std::byte*>(lines.data());
}

/// Plans and orders in a device's memory, each once.
class DeviceImages {
  public:
    /// numbers: requests whose plans and orders are uploaded. Throws BatchError.
    DeviceImages(BatchDevice& device,
                 std::span<const BatchRequest> requests,
                 std::span<const std::size_t> numbers);

    [[nodiscard]] const PlanView* plan(const Plan* plan) const { return plans_.at(plan); }
    /// The shapes of a plan by slots (PlaceClock), if a request keeps its rows.
    [[nodiscard]] const ShapeId* by_slots(const Plan* plan) const { return by_slots_.at(plan); }
    [[nodiscard]] JobOrderView order(const JobOrder* order) const { return orders_.at(order); }

  private:
    /// views: where those of plans are written; address: where they will lie.
    void write(ImageWriter& writer, std::byte* views, const std::byte* address);

    std::map<const Plan*, const PlanView*> plans_;
    std::map<const Plan*, const ShapeId*> by_slots_;
    std::map<const JobOrder*, JobOrderView> orders_;
    std::optional<DeviceBlock> block_;
};

/// Most bytes that a plan and an order take in a device's memory.
[[nodiscard]] std::size_t image_bytes(const Plan& plan);
[[nodiscard]] std::size_t image_bytes(const JobOrder& order);

/// Divides requests, by number, into parts whose images take at most `bytes`; a larger one is a
/// separate part. Requests of one plan stay together.
[[nodiscard]] std::vector<std::vector<std::size_t>> parts_of(std::span<const BatchRequest> requests,
                                                             std::size_t bytes);

}} // namespace bursar::policies
