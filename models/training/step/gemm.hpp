#pragma once

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// A matrix product: [m, k] x [k, n], or several of one shape in one kernel. All > 0.
struct MatrixProduct {
    double m{};
    double n{};
    double k{};
    double groups{1};

    [[nodiscard]] Flops flops() const { return Flops{2 * m * n * k * groups}; }
};

/// What runs matrix products of one format.
struct MatrixUnit {
    FlopRate rate{};         ///< of a large product, > 0
    double half_size{};      ///< x0: a dimension of this size reaches half of it, >= 0
    ByteRate memory{};       ///< device memory, > 0
    double element_bytes{2}; ///< of the operands
    double units{};          ///< multiprocessors, each with one tile at a time; 0: not known
};

/// Time of one product: the roofline of its FLOP at the rate its shape reaches and its bytes.
///
/// max(2 m n k / (rate s(m) s(n) s(k) u), (m k + k n + m n) bytes / memory), s(x) = x / (x + x0);
/// u = tile_use(m, n) 0.9^missing_halvings(the worse of n and k), where `units` is known
/// Source: FORMULAS 4.1; the launch is the host's part (host_time.hpp).
Seconds gemm_time(const MatrixProduct& product, const MatrixUnit& unit);

}} // namespace bursar::models
