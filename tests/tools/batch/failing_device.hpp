#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "sim/engine/state/run_state.hpp"

#include "tests/engine_runs/lane_device.hpp"
#include "tools/batch/gpus.hpp"

namespace bursar::test {

/// The failures of a device.
struct DeviceFlaw {
    std::optional<std::size_t> lost_at{};   ///< the batch during which the device is lost
    std::optional<std::size_t> breaks_at{}; ///< the batch in which the program fails
    bool changes_answers{};                 ///< fingerprints are changed
};

/// Lanes of a warp on the host (LaneDevice) that fail.
class FailingDevice final : public BatchDevice {
  public:
    FailingDevice(DeviceFlaw flaw, std::size_t bytes) : flaw_{flaw}, lanes_{bytes} {}

    [[nodiscard]] std::size_t free_bytes() const override { return lanes_.free_bytes(); }
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override { return lanes_.allocate(bytes); }
    void release(std::byte* block) override { lanes_.release(block); }
    void to_device(std::byte* to, const std::byte* from, std::size_t bytes) override {
        lanes_.to_device(to, from, bytes);
    }
    void from_device(std::byte* to, const std::byte* from, std::size_t bytes) override {
        lanes_.from_device(to, from, bytes);
        if (flaw_.changes_answers)
            ++reinterpret_cast<RunTotals*>(to)->finish_hashes; // an answer begins with its totals
    }
    [[nodiscard]] bool serves(const EngineChoice& choice) const override {
        return lanes_.serves(choice);
    }
    [[nodiscard]] std::size_t arena_bytes(const EngineChoice& choice,
                                          const PlanView& plan,
                                          const BatchRun& run) const override {
        return lanes_.arena_bytes(choice, plan, run);
    }
    [[nodiscard]] std::uint32_t max_teams(const EngineChoice& choice) const override {
        return lanes_.max_teams(choice);
    }
    void serve(const EngineChoice& choice, const Batch& batch) override {
        if (flaw_.breaks_at == num_served_)
            throw std::runtime_error{"broken"};
        if (flaw_.lost_at == num_served_++)
            throw BatchError{"running a batch on the GPU: unspecified launch failure"};
        lanes_.serve(choice, batch);
    }

  private:
    DeviceFlaw flaw_;
    LaneDevice lanes_;
    std::size_t num_served_{};
};

/// As the system would show it.
inline BatchGpu lanes_as_gpu(const std::string& name,
                             DeviceFlaw flaw = {},
                             std::size_t bytes = std::size_t{1} << 24) {
    return {name, [flaw, bytes] { return std::make_unique<FailingDevice>(flaw, bytes); }};
}

} // namespace bursar::test
