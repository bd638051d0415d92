#include "models/training/step/gemm.hpp"

#include <algorithm>

namespace bursar::inline models {

Seconds gemm_time(const MatrixProduct& product, const MatrixUnit& unit) {
    const auto [m, n, k] = product;
    const double x0 = unit.half_size;
    const double shape = (m / (m + x0)) * (n / (n + x0)) * (k / (k + x0));
    const Seconds math = product.flops() / (unit.rate * shape);
    const ByteVolume operands{(m * k + k * n + m * n) * unit.element_bytes};
    return std::max(math, operands / unit.memory);
}

} // namespace bursar::inline models
