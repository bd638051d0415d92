#pragma once

#include <array>
#include <optional>
#include <span>

#include "models/gpu/gpu.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// The hardware of a workload that is known by measured throughputs only.
struct WorkloadSetting {
    FlopRate matrix_peak;   ///< dense, at the format its matrix products run in
    FlopRate vector_peak;   ///< fp32 without tensor cores
    ByteRate memory;        ///< device memory
    double batch_per_gpu{}; ///< samples, > 0
    int gpus{1};            ///< that share a step
};

/// Time of one sample of a workload on one GPU, from the peaks of the GPU (FORMULAS 4.12, term by
/// term):
///
/// t = a/matrix_peak + c/memory + v/vector_peak + w/(vector_peak batch) + s/batch [gpus > 1]
///
/// matrix products, memory traffic, element-wise arithmetic, work per step (optimizer, launches)
/// and the gradient exchange per step; every coefficient >= 0.
class WorkloadRates {
  public:
    /// One throughput to learn from; samples_per_s of all GPUs together, > 0.
    struct Observation {
        WorkloadSetting setting;
        double samples_per_s{};
    };

    /// Least squares of relative error over `observations`; exact for coefficients >= 0: with five
    /// of them every active set is tried. Absent when there is no observation.
    static std::optional<WorkloadRates> fit(std::span<const Observation> observations);

    /// Samples per second of all GPUs together.
    [[nodiscard]] double samples_per_s(const WorkloadSetting& setting) const;

  private:
    static constexpr std::size_t num_terms = 5;
    using Terms = std::array<double, num_terms>;
    static Terms terms(const WorkloadSetting& setting);

    Terms coefficients_{};
};

}} // namespace bursar::models
