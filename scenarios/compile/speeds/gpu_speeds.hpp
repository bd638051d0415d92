#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/speed_ratio.hpp"

#include "scenarios/catalog/precision_gains.hpp"
#include "scenarios/compile/speeds/run_kind.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Whence it is known how fast given run times pass on a GPU.
enum class SpeedOrigin : std::uint8_t {
    nowhere,  ///< they are taken as they are
    same_gpu, ///< they were measured on it
    declared, ///< by their class
    measured, ///< for their type of job
    catalogue ///< from what is published of both GPUs
};

/// A number format other than the one that run times were measured in.
struct FormatChange {
    Precision from{}; ///< on the pool's GPU: what they were measured in, or the nearest it has
    Precision to{};
    std::optional<PrecisionGain> gain; ///< absent: not measured, and speed stays
};

/// How fast run times of one kind pass on the GPUs of a pool.
struct PoolSpeed {
    double on_gpu{1}; ///< in the format they were measured in, against the run time stated; > 0
    SpeedOrigin origin{SpeedOrigin::nowhere};
    SpeedRatio ratio{};                   ///< of SpeedOrigin::catalogue
    Precision precision{};                ///< that its peaks are of
    std::optional<FormatChange> format{}; ///< absent: they keep theirs
    double gain{1};                       ///< what that makes; > 0
    bool never_runs{};                    ///< measured so; `on_gpu` means nothing
    bool is_format_unknown{};             ///< a policy would change it, and it is not specified
    std::string problem{};                ///< why they cannot be worked out, and what would do
    std::string suggestion{};

    /// Against the run time that the workload states; > 0.
    [[nodiscard]] double speed() const { return on_gpu * gain; }
};

/// Looks up how fast run times pass on each pool: as the class declares, else as what is published
/// of the GPU and of the one they were measured on lets expect; in another number format as much
/// faster as jobs were measured to be on that GPU.
class GpuSpeeds {
  public:
    /// All outlive this.
    GpuSpeeds(const Scenario& scenario, const Catalogue& catalogue, const RunKinds& kinds);

    [[nodiscard]] PoolSpeed on(const RunKind& kind, std::size_t pool) const;

  private:
    [[nodiscard]] const ClassSpec& class_of(const RunKind& kind) const;
    [[nodiscard]] std::optional<Precision> measured_in(const RunKind& kind) const;
    [[nodiscard]] double declared_at_home(const RunKind& kind) const;
    [[nodiscard]] PoolSpeed in_its_format(const RunKind& kind, std::size_t pool) const;
    [[nodiscard]] PoolSpeed
    by_catalogue(const RunKind& kind, const Gpu& ran_on, const Gpu& gpu) const;
    [[nodiscard]] double taken(const SpeedRange& range) const;
    void change_format(const RunKind& kind, const Gpu& gpu, PoolSpeed& speed) const;

    const Scenario& scenario_;
    const RunKinds& kinds_;
    std::vector<const Gpu*> pool_gpus_;
};

}} // namespace bursar::scenarios
