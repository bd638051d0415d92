#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/network/operator_log.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

struct AttentionShape;
struct MatrixProduct;

/// A kernel that was measured at some sizes.
template <std::size_t dimensions>
struct MeasuredKernel {
    std::array<double, dimensions> sizes{}; ///< > 0
    FlopRate rate{};                        ///< of its FLOP, > 0
    std::string source;                     ///< file and line
    int repeats{1};                         ///< rows that `rate` is the geometric mean of
};

/// Measured kernels of one GPU in one number format. A shape that was measured has its rate.
/// Others have the mean of the logarithms of the rates near them: of shapes within a factor of two
/// in every size, weighted by the inverse square of their distance in the logarithms. A shape
/// without such neighbours is not known.
class MeasuredKernels {
  public:
    using Product = MeasuredKernel<3>;   ///< m, n, k
    using Attention = MeasuredKernel<3>; ///< tokens of a sequence, sequences x heads, head size

    std::string format;                    ///< name, for the log
    std::vector<Product> products;         ///< one of each shape
    std::vector<Attention> causal, square; ///< forward; FLOP of half the square, of all of it
    std::shared_ptr<OperatorLog> log{};    ///< gets every lookup; null: none

    /// Absent: not known, or several products in one kernel.
    [[nodiscard]] std::optional<Seconds> time(const MatrixProduct& product) const;
    /// Forward; absent: not known, or fewer queries than keys (context parallelism).
    [[nodiscard]] std::optional<Seconds> time(const AttentionShape& shape) const;
};

/// By number format.
struct MeasuredOperators {
    std::array<MeasuredKernels, precision_names.size()> kernels{};
};

}} // namespace bursar::models
