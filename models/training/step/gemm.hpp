#pragma once

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Share of the multiprocessors' time that computes a product's [m, n] numbers, 0..1.
///
/// A product is cut into tiles of one size, each multiprocessor computes one at a time, and all
/// wait for the last: m n / (waves units tile), waves = ceil(ceil(m / tile_m) ceil(n / tile_n) /
/// units), of the best of the tile sizes a library has; the smaller ones reuse their operands less
/// and run at a share of the rate. m, n, units: > 0. groups: products of this shape in one kernel,
/// > 0; their tiles follow each other without a wait.
/// Source: NVIDIA, Matrix Multiplication Background User's Guide (2023), sections 2.3 and 3.
double tile_use(double m, double n, double units, double groups = 1);

/// Halvings that `size` lacks to be a multiple of 64: 0 for 1792, 3 for 1800, at most 4. Tensor
/// cores read 128 bytes, 64 numbers of 16 bits, at a time; other rows take more reads (section 2.2
/// of the same guide). size: > 0, rounded to a whole number.
double missing_halvings(double size);

class MeasuredKernels;

/// A matrix product: [m, k] x [k, n], or several of one shape in one kernel. All > 0.
struct MatrixProduct {
    double m{};
    double n{};
    double k{};
    double groups{1};

    [[nodiscard]] Flops flops() const { return Flops{2 * m * n * k * groups}; }
};

/// The unit that runs matrix products of one format.
struct MatrixUnit {
    FlopRate rate{};         ///< of a large product, > 0
    double half_size{};      ///< x0: a dimension of this size reaches half of it, >= 0
    ByteRate memory{};       ///< device memory, > 0
    double element_bytes{2}; ///< of the operands
    double units{};          ///< multiprocessors, each with one tile at a time; 0: not known
    const MeasuredKernels* measured{}; ///< of its format; null: formulas alone
};

/// Time of one product: as measured, if `unit` has measurements near its shape, else the roofline
/// of its FLOP, at the rate for its shape, and its bytes.
///
/// max(2 m n k / (rate s(m) s(n) s(k) u), (m k + k n + m n) bytes / memory), s(x) = x / (x + x0);
/// u = tile_use(m, n) 0.9^missing_halvings(the worse of n and k), if `units` is known, else 1.
/// Source: FORMULAS 4.1; the launch is the host's part (kernel_time.hpp).
Seconds gemm_time(const MatrixProduct& product, const MatrixUnit& unit);

}} // namespace bursar::models
