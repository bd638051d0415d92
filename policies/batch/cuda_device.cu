#include <algorithm>
#include <string>

#include <cuda_runtime.h>

#include "policies/batch/batch_kernels.hpp"
#include "policies/batch/cuda_device.hpp"

namespace bursar { inline namespace policies {
namespace {

/// Warps per block: warps are independent, and small blocks fill a multiprocessor best.
constexpr unsigned warps_per_block = 2;
constexpr unsigned lanes_per_warp = 32;
/// Memory left to the driver.
constexpr std::size_t reserved_bytes = std::size_t{256} << 20U;
/// Stack per thread, more than any kernel needs (2 to 18 kB, and 25 kB with little optimisation;
/// `ptxas -v` of CUDA 13.0). At the first launch the driver allocates it for every thread that the
/// multiprocessors can hold.
constexpr std::size_t stack_bytes = std::size_t{32} << 10U;

void check(cudaError_t status, const std::string& what) {
    if (status != cudaSuccess)
        throw BatchError{what + ": " + cudaGetErrorString(status)};
}

std::size_t attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "asking the GPU what it is");
    return static_cast<std::size_t>(value);
}

} // namespace

int CudaDevice::count() {
    int num = 0;
    return cudaGetDeviceCount(&num) == cudaSuccess ? num : 0;
}

std::string CudaDevice::why_none() {
    int num = 0;
    const cudaError_t status = cudaGetDeviceCount(&num);
    return cudaGetErrorString(status == cudaSuccess ? cudaErrorNoDevice : status);
}

CudaDevice::CudaDevice(int number, TeamKind team) : number_{number}, team_{team} {
    check(cudaSetDevice(number), "GPU " + std::to_string(number));
}

std::string CudaDevice::name() const {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, number_), "asking the GPU for its name");
    return properties.name;
}

std::size_t CudaDevice::free_bytes() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "asking the GPU for its memory");
    const std::size_t threads = attribute(cudaDevAttrMultiProcessorCount, number_) *
                                attribute(cudaDevAttrMaxThreadsPerMultiProcessor, number_);
    const std::size_t kept = reserved_bytes + threads * stack_bytes;
    return free > kept ? free - kept : 0;
}

std::byte* CudaDevice::allocate(std::size_t bytes) {
    void* block = nullptr;
    check(cudaMalloc(&block, std::max<std::size_t>(bytes, 1)),
          std::to_string(bytes) + " bytes of the GPU's memory");
    return static_cast<std::byte*>(block);
}

void CudaDevice::release(std::byte* block) {
    cudaFree(block); // a lost device cannot free memory; ignored
}

void CudaDevice::to_device(std::byte* to, const std::byte* from, std::size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
}

void CudaDevice::from_device(std::byte* to, const std::byte* from, std::size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
}

bool CudaDevice::serves(const EngineChoice& choice) const {
    return choice.pass != PassKind::allocation && // on the host only
           batch_kernel_for(choice, team_).kernel != nullptr;
}

std::size_t CudaDevice::arena_bytes(const EngineChoice& choice,
                                    const PlanView& plan,
                                    const BatchRun& run) const {
    return batch_kernel_for(choice, team_).arena_bytes(plan, run);
}

unsigned CudaDevice::lanes_per_team() const {
    return team_ == TeamKind::warp ? lanes_per_warp : 1;
}

std::uint32_t CudaDevice::max_teams(const EngineChoice& choice) const {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, batch_kernel_for(choice, team_).kernel, warps_per_block * lanes_per_warp, 0),
          "asking the GPU how many warps it takes");
    const std::size_t all =
        static_cast<std::size_t>(blocks) * attribute(cudaDevAttrMultiProcessorCount, number_);
    return static_cast<std::uint32_t>(all) * warps_per_block * lanes_per_warp / lanes_per_team();
}

void CudaDevice::serve(const EngineChoice& choice, const Batch& batch) {
    Batch argument = batch;
    void* arguments[]{&argument};
    const unsigned warps =
        (batch.num_teams * lanes_per_team() + lanes_per_warp - 1) / lanes_per_warp;
    // Blocks of one warp if the warps do not fill whole blocks.
    const unsigned per_block = warps % warps_per_block == 0 ? warps_per_block : 1;
    check(cudaLaunchKernel(batch_kernel_for(choice, team_).kernel,
                           dim3{warps / per_block},
                           dim3{per_block * lanes_per_warp},
                           arguments,
                           0,
                           nullptr),
          "starting a batch on the GPU");
    check(cudaDeviceSynchronize(), "running a batch on the GPU");
}

}} // namespace bursar::policies
