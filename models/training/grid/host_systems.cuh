#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/system/tbb/execution_policy.h>

#include "models/training/grid/grid_pass.cuh"

namespace bursar { inline namespace models {

/// A host system with one of Thrust's execution policies.
template <class Policy>
struct HostSystem {
    static constexpr std::uint64_t tile_points = first_tile_points; // 1.8 MB, fits into a cache

    template <class T>
    using Vector = std::vector<T>;

    static Policy par() { return {}; }

    template <class T>
    static T* pointer(std::vector<T>& values) {
        return values.data();
    }
    template <class T>
    static const T* pointer(const std::vector<T>& values) {
        return values.data();
    }
};

using CppSystem = HostSystem<std::remove_const_t<decltype(thrust::cpp::par)>>;
using OmpSystem = HostSystem<std::remove_const_t<decltype(thrust::omp::par)>>;
using TbbSystem = HostSystem<std::remove_const_t<decltype(thrust::tbb::par)>>;

}} // namespace bursar::models
