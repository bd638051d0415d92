#pragma once

#include "models/units/physics.hpp"

namespace bursar::inline models {

/// Time on one GPU's stream, by what its kernels do.
struct KernelTime {
    Seconds gemm;
    Seconds attention;
    Seconds memory_bound;
    Seconds tensor_comm;
    Seconds context_comm;
    Seconds expert_comm;

    [[nodiscard]] Seconds compute() const { return gemm + attention + memory_bound; }
    [[nodiscard]] Seconds communication() const { return tensor_comm + context_comm + expert_comm; }
    [[nodiscard]] Seconds busy() const { return compute() + communication(); }

    KernelTime& operator+=(const KernelTime& other) {
        gemm += other.gemm;
        attention += other.attention;
        memory_bound += other.memory_bound;
        tensor_comm += other.tensor_comm;
        context_comm += other.context_comm;
        expert_comm += other.expert_comm;
        return *this;
    }
    friend KernelTime operator+(KernelTime a, const KernelTime& b) { return a += b; }
    friend KernelTime operator*(double n, const KernelTime& t) {
        return {n * t.gemm,
                n * t.attention,
                n * t.memory_bound,
                n * t.tensor_comm,
                n * t.context_comm,
                n * t.expert_comm};
    }
};

} // namespace bursar::inline models
