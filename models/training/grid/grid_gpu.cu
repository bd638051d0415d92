#include <exception>

#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/system/cuda/execution_policy.h>

#include "models/training/grid/grid_gpu.hpp"
#include "models/training/grid/grid_pass.cuh"

namespace bursar { inline namespace models {
namespace {

struct CudaSystem {
    static constexpr std::uint64_t tile_points = std::uint64_t{1} << 22U; // 200 MB

    template <class T>
    using Vector = thrust::device_vector<T>;

    static auto par() { return thrust::cuda::par; }

    template <class T>
    static T* pointer(Vector<T>& values) {
        return values.data().get();
    }
    template <class T>
    static const T* pointer(const Vector<T>& values) {
        return values.data().get();
    }
};

template <class T>
thrust::device_vector<T> copied(std::span<const T> rows) {
    return {rows.begin(), rows.end()};
}

/// Returns the result of `ask`; turns its exceptions into GpuError.
template <class Ask>
auto asked(const char* what, const Ask& ask) {
    try {
        return ask();
    } catch (const std::exception& failed) { // by Thrust; bad_alloc means GPU memory
        throw GpuError{std::string{what} + ": " + failed.what()};
    }
}

} // namespace

struct GridGpu::Copied {
    explicit Copied(const GridArrays& grid)
        : blocks{copied(grid.blocks)}, layouts{copied(grid.layouts)}, offers{copied(grid.offers)},
          panels{copied(grid.panels)}, passes{copied(grid.passes)}, replicas{copied(grid.replicas)},
          messages{copied(grid.messages)}, view{view_of(grid)} {
        view.blocks = CudaSystem::pointer(blocks);
        view.layouts = CudaSystem::pointer(layouts);
        view.offers = CudaSystem::pointer(offers);
        view.panels = CudaSystem::pointer(panels);
        view.passes = CudaSystem::pointer(passes);
        view.replicas = CudaSystem::pointer(replicas);
        view.messages = CudaSystem::pointer(messages);
    }

    thrust::device_vector<GridBlock> blocks;
    thrust::device_vector<GridLayout> layouts;
    thrust::device_vector<GridOffer> offers;
    thrust::device_vector<GridPanel> panels;
    thrust::device_vector<PassRow> passes;
    thrust::device_vector<ReplicaRow> replicas;
    thrust::device_vector<Seconds> messages;
    GridView view; ///< of these
};

std::string GridGpu::why_none() {
    int num = 0;
    const cudaError_t status = cudaGetDeviceCount(&num);
    if (status == cudaSuccess && num > 0)
        return {};
    return std::string{"CUDA finds no GPU ("} +
           cudaGetErrorString(status == cudaSuccess ? cudaErrorNoDevice : status) + ")";
}

GridGpu::GridGpu(const GridArrays& grid) {
    if (const std::string why = why_none(); !why.empty())
        throw GpuError{why};
    copied_ = asked("copying a grid to the GPU", [&] { return std::make_unique<Copied>(grid); });
}

GridGpu::~GridGpu() = default;

std::string GridGpu::name() const {
    cudaDeviceProp properties{};
    const cudaError_t status = cudaGetDeviceProperties(&properties, 0);
    if (status != cudaSuccess)
        throw GpuError{std::string{"asking the GPU for its name: "} + cudaGetErrorString(status)};
    return properties.name;
}

GridSummary GridGpu::summarize(const GridRequest& request) const {
    return asked("working a grid out on the GPU",
                 [&] { return summarize_on<CudaSystem>(copied_->view, request); });
}

}} // namespace bursar::models
