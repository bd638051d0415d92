#pragma once

#include <algorithm>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Time that the GPU waits for the process that launches its kernels. Both run in parallel, so the
/// slower one counts (FORMULAS 4.4). Omitting it makes small models 40 % too fast.
BURSAR_HD constexpr Seconds launch_wait(Seconds host, Seconds busy) {
    return std::max(Seconds{}, host - busy);
}

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

/// One pass over one layer, or over the parts before and after the layers.
struct PassTime {
    KernelTime kernels;
    Seconds host; ///< to launch them
};

/// Forward and backward over one micro-batch. Recomputation in the backward pass is separate, in
/// `recomputed`.
struct LayerTime {
    PassTime forward;
    PassTime backward;
    PassTime recomputed;

    /// Time in which the GPU waits for launches; recomputation belongs to the backward pass.
    [[nodiscard]] Seconds forward_wait() const {
        return launch_wait(forward.host, forward.kernels.busy());
    }
    [[nodiscard]] Seconds backward_wait() const {
        return launch_wait(backward.host + recomputed.host,
                           backward.kernels.busy() + recomputed.kernels.busy());
    }
};

}} // namespace bursar::models
