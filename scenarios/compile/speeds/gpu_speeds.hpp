#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/catalog/pair_speeds.hpp"
#include "scenarios/catalog/precision_gains.hpp"
#include "scenarios/compile/speeds/run_kind.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The source of the speed of given run times on a GPU.
enum class SpeedOrigin : std::uint8_t {
    nowhere,  ///< unscaled: the workload's run time holds
    same_gpu, ///< measured on this GPU
    declared, ///< declared by their class
    measured, ///< measured for their type of job
    catalogue ///< of jobs of unknown kind: measured on this pair of GPUs, or from their figures
};

/// A number format other than the one that run times were measured in.
struct FormatChange {
    Precision from{}; ///< format on the pool's GPU: the measured one, or the nearest that it has
    Precision to{};
    std::optional<PrecisionGain> gain; ///< absent: not measured, and the speed stays
};

/// Speed of run times of one kind on the GPUs of a pool.
struct PoolSpeed {
    double on_gpu{1}; ///< speed in the measured format, against the stated run time; > 0
    SpeedOrigin origin{SpeedOrigin::nowhere};
    SpeedEstimate estimate{};             ///< of SpeedOrigin::catalogue
    Precision precision{};                ///< format of the peaks that were compared
    std::optional<FormatChange> format{}; ///< absent: the format stays
    double gain{1};                       ///< factor on the speed from the change of format; > 0
    bool never_runs{};                    ///< measured to be impossible; `on_gpu` means nothing
    bool is_format_unknown{};             ///< a policy would change the format, and it is not
                                          ///< specified
    std::string problem{};                ///< why the speed cannot be computed, and what would help
    std::string suggestion{};

    /// Speed against the run time that the workload states; > 0.
    [[nodiscard]] double speed() const { return on_gpu * gain; }
};

/// Looks up the speed of run times on each pool: declared by the class, or measured, else that of
/// jobs of unknown kind (PairSpeeds::estimate). A change of number format multiplies it by the
/// speed-up measured on that GPU.
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
