#include "models/training/grid/grid_gpu.hpp"

namespace bursar { inline namespace models {

struct GridGpu::Copied {};

std::string GridGpu::why_none() {
    return "this program is built without CUDA, so that it knows no GPU";
}

GridGpu::GridGpu(const GridArrays& /*grid*/) {
    throw GpuError{why_none()};
}

GridGpu::~GridGpu() = default;

std::string GridGpu::name() const {
    return {};
}

GridSummary GridGpu::summarize(const GridRequest& /*request*/) const {
    throw GpuError{why_none()};
}

}} // namespace bursar::models
