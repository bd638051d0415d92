#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "policies/batch/run_batch.hpp"

namespace bursar::test {

/// A device whose warps are lanes on the host (tests/sim/team/emulated_warp.hpp), with memory of
/// its own: what is not copied there it does not have.
class LaneDevice final : public BatchDevice {
  public:
    /// bytes: of its memory; teams: warps that work at once, each on a separate thread.
    explicit LaneDevice(std::size_t bytes = std::size_t{1} << 33, std::uint32_t teams = 1)
        : free_bytes_{bytes}, teams_{teams} {}

    [[nodiscard]] std::size_t free_bytes() const override { return free_bytes_; }
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override;
    void release(std::byte* block) override;
    void to_device(std::byte* to, const std::byte* from, std::size_t bytes) override;
    void from_device(std::byte* to, const std::byte* from, std::size_t bytes) override;
    [[nodiscard]] bool serves(const EngineChoice& choice) const override;
    [[nodiscard]] std::size_t arena_bytes(const EngineChoice& choice,
                                          const PlanView& plan,
                                          const BatchRun& run) const override;
    [[nodiscard]] std::uint32_t max_teams(const EngineChoice&) const override { return teams_; }
    void serve(const EngineChoice& choice, const Batch& batch) override;

    [[nodiscard]] std::size_t num_served() const { return num_served_; } ///< batches

  private:
    struct alignas(256) Unit {
        std::byte bytes[256];
    };
    struct Block {
        std::unique_ptr<Unit[]> units;
        std::size_t bytes{};
    };
    [[nodiscard]] bool is_here(const void* pointer) const;
    /// Throws std::logic_error for a pointer into other memory; null is none.
    void check_is_here(const void* pointer) const;
    void check_is_here(const BatchRun& run) const;

    std::map<const std::byte*, Block> blocks_; ///< by where they begin
    std::size_t free_bytes_;
    std::uint32_t teams_;
    std::size_t num_served_{};
};

} // namespace bursar::test
