#pragma once

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Time on one GPU's stream, by what its kernels do.
struct KernelTime {
    Seconds gemm;
    Seconds attention;
    Seconds memory_bound;
    Seconds tensor_comm;
    Seconds context_comm;
    Seconds expert_comm;

    [[nodiscard]] BURSAR_HD Seconds compute() const { return gemm + attention + memory_bound; }
    [[nodiscard]] BURSAR_HD Seconds communication() const {
        return tensor_comm + context_comm + expert_comm;
    }
    [[nodiscard]] BURSAR_HD Seconds busy() const { return compute() + communication(); }

    BURSAR_HD KernelTime& operator+=(const KernelTime& other) {
        gemm += other.gemm;
        attention += other.attention;
        memory_bound += other.memory_bound;
        tensor_comm += other.tensor_comm;
        context_comm += other.context_comm;
        expert_comm += other.expert_comm;
        return *this;
    }
    friend BURSAR_HD KernelTime operator+(KernelTime a, const KernelTime& b) { return a += b; }
    friend BURSAR_HD KernelTime operator*(double n, const KernelTime& t) {
        return {n * t.gemm,
                n * t.attention,
                n * t.memory_bound,
                n * t.tensor_comm,
                n * t.context_comm,
                n * t.expert_comm};
    }
};

}} // namespace bursar::models
