#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "policies/batch/run_batch.hpp"

namespace bursar { inline namespace policies {

/// A GPU. Every call of CUDA is checked; a failure is thrown as BatchError with CUDA's message. All
/// memory is the device's own (cudaMalloc), none managed.
class CudaDevice final : public BatchDevice {
  public:
    /// Number of GPUs; 0 without a driver.
    [[nodiscard]] static int count();
    /// Why there is none, in the driver's words.
    [[nodiscard]] static std::string why_none();

    /// number: below count().
    explicit CudaDevice(int number, TeamKind team = TeamKind::warp);

    [[nodiscard]] std::string name() const; ///< "NVIDIA H100 80GB HBM3"

    [[nodiscard]] std::size_t free_bytes() const override;
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override;
    void release(std::byte* block) override;
    void to_device(std::byte* to, const std::byte* from, std::size_t bytes) override;
    void from_device(std::byte* to, const std::byte* from, std::size_t bytes) override;
    [[nodiscard]] bool serves(const EngineChoice& choice) const override;
    [[nodiscard]] std::size_t arena_bytes(const EngineChoice& choice,
                                          const PlanView& plan,
                                          const BatchRun& run) const override;
    [[nodiscard]] std::uint32_t max_teams(const EngineChoice& choice) const override;
    void serve(const EngineChoice& choice, const Batch& batch) override;

  private:
    [[nodiscard]] unsigned lanes_per_team() const;

    int number_;
    TeamKind team_;
};

}} // namespace bursar::policies
