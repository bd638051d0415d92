#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/speed_ratio.hpp"

#include "scenarios/compile/run_kind.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// Whence it is known how fast given run times pass on a GPU.
enum class SpeedOrigin : std::uint8_t {
    nowhere,  ///< they are taken as they are
    same_gpu, ///< they were measured on it
    declared, ///< by their class
    catalogue ///< from what is published of both GPUs
};

/// How fast run times of one kind pass on the GPUs of a pool.
struct PoolSpeed {
    double speed{1}; ///< against the run time that the workload states; > 0
    SpeedOrigin origin{SpeedOrigin::nowhere};
    SpeedRatio ratio{};         ///< of SpeedOrigin::catalogue
    Precision precision{};      ///< that its peaks are of
    std::string unknown_fact{}; ///< why the catalogue has no ratio; `origin` is nowhere then
};

/// Looks up how fast run times pass on each pool: as the class declares, else as what is published
/// of the GPU and of the one they were measured on lets expect.
class GpuSpeeds {
  public:
    /// All outlive this.
    GpuSpeeds(const Scenario& scenario, const Catalogue& catalogue, const RunKinds& kinds);

    [[nodiscard]] PoolSpeed on(const RunKind& kind, std::size_t pool) const;

  private:
    const Scenario& scenario_;
    const RunKinds& kinds_;
    std::vector<const Gpu*> pool_gpus_;
};

} // namespace bursar::inline scenarios
