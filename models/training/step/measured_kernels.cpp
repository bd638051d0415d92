#include "models/training/step/measured_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/training/step/attention_core.hpp"
#include "models/training/step/gemm.hpp"

namespace bursar { inline namespace models {
namespace {

struct Rate {
    FlopRate rate{};
    std::string source;
};

/// The largest of the distances in each size, and the sum of their squares; in halvings.
template <std::size_t n>
std::pair<double, double> distance(const std::array<double, n>& a, const std::array<double, n>& b) {
    double largest = 0;
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double halvings = std::abs(std::log2(a[i] / b[i]));
        largest = std::max(largest, halvings);
        squares += halvings * halvings;
    }
    return {largest, squares};
}

template <std::size_t n>
std::optional<Rate> look_up(const std::vector<MeasuredKernel<n>>& kernels,
                            const std::array<double, n>& sizes) {
    double weights = 0;
    double sum = 0;
    std::int64_t near = 0;
    std::string source;
    double nearest = 0;
    for (const MeasuredKernel<n>& kernel : kernels) {
        const auto [largest, squares] = distance(kernel.sizes, sizes);
        if (largest > 1)
            continue;
        if (squares == 0)
            return Rate{kernel.rate, "measured: " + kernel.source};
        if (near == 0 || squares < nearest) {
            nearest = squares;
            source = kernel.source;
        }
        ++near;
        weights += 1 / squares;
        sum += std::log(kernel.rate.count()) / squares;
    }
    if (near == 0)
        return std::nullopt;
    return Rate{FlopRate{std::exp(sum / weights)},
                near == 1 ? "as the measured shape near it: " + source
                          : "between " + std::to_string(near) +
                                " measured shapes, the nearest: " + source};
}

std::string number(double value) {
    return std::to_string(std::llround(value));
}

std::optional<Seconds> timed(const std::optional<Rate>& found,
                             Flops flops,
                             OperatorLog* log,
                             const std::string& operation) {
    const std::optional<Seconds> time =
        found ? std::optional{flops / found->rate} : std::optional<Seconds>{};
    if (log != nullptr)
        log->add(operation,
                 time.value_or(Seconds{}),
                 found ? found->source : "formula: no shape within a factor of two was measured");
    return time;
}

} // namespace

std::optional<Seconds> MeasuredKernels::time(const MatrixProduct& product) const {
    std::optional<Rate> found;
    if (product.groups == 1)
        found = look_up(products, {product.m, product.n, product.k});
    std::string name;
    if (log != nullptr)
        name = "matmul " + number(product.m) + " x " + number(product.n) + " x " +
               number(product.k) + ", " + format +
               (product.groups == 1 ? std::string{} : " (" + number(product.groups) + " of them)");
    return timed(found, product.flops(), log.get(), name);
}

std::optional<Seconds> MeasuredKernels::time(const AttentionShape& shape) const {
    std::optional<Rate> found;
    if (shape.queries == shape.keys)
        found = look_up(shape.causal ? causal : square,
                        {shape.keys, shape.sequences * shape.heads, shape.head_dim});
    const Flops all{4 * shape.sequences * shape.heads * shape.queries * shape.keys *
                    shape.head_dim};
    std::string name;
    if (log != nullptr)
        name = "attention of " + number(shape.sequences * shape.heads) + " heads of " +
               number(shape.head_dim) + ", " + number(shape.keys) + " tokens, " + format +
               (shape.causal ? ", causal" : "");
    return timed(found, all * (shape.causal ? 0.5 : 1.0), log.get(), name);
}

}} // namespace bursar::models
