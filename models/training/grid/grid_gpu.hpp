#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "models/training/grid/grid_point.hpp"
#include "models/training/grid/grid_summary.hpp"

namespace bursar { inline namespace models {

/// A failed GPU operation, with CUDA's message.
class GpuError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A grid on a GPU, copied there once. Its points equal the host's to 1e-12: without fused
/// multiply-add, only the order of operations may differ.
class GridGpu {
  public:
    /// Why there is no GPU, in the system's words; empty: there is one.
    [[nodiscard]] static std::string why_none();

    /// Throws GpuError if there is none, or it has too little memory.
    explicit GridGpu(const GridArrays& grid);
    ~GridGpu();
    GridGpu(const GridGpu&) = delete;
    GridGpu& operator=(const GridGpu&) = delete;

    [[nodiscard]] std::string name() const; ///< "NVIDIA H100 80GB HBM3"

    /// The same as summarize() on the host. Throws GpuError.
    [[nodiscard]] GridSummary summarize(const GridRequest& request) const;

  private:
    struct Copied; ///< the grid in the GPU's memory
    std::unique_ptr<const Copied> copied_;
};

}} // namespace bursar::models
