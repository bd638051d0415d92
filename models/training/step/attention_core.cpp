#include "models/training/step/attention_core.hpp"

#include <algorithm>
#include <cmath>

#include "models/training/step/gemm.hpp"
#include "models/training/step/measured_kernels.hpp"

namespace bursar { inline namespace models {
namespace {

// Rates over FlashAttention-2 on A100 (62 % of peak in the middle of 50..73 %), from FORMULAS 4.2:
// generation 1 there 33 %; on Hopper generation 2 35 %, generation 3 up to 75 % of a peak of which
// products reach 80 % against 87 %.
double generation_ratio(Attention attention, bool hopper) {
    switch (attention) {
    case Attention::unfused:
    case Attention::flash1:
        return 0.55;
    case Attention::flash2:
        return hopper ? 0.6 : 1.0;
    case Attention::flash3:
        break;
    }
    return hopper ? 1.2 : 1.0;
}

// Factor on the rate of unfused products per missing halving of a head (missing_halvings), fitted
// here on heads of 180, 216 and 224 (BigScience 2022); Anthony et al. 2024 (arXiv 2401.14489) show
// the same order. Fused kernels pad heads themselves.
constexpr double aligned_head_share = 0.7;

// The rate of H100 products (FORMULAS 4.1), the limit of generation 2: it issues Ampere's matrix
// instructions, and newer units are faster only with new instructions.
constexpr FlopRate hopper_products{0.8 * 989e12};

} // namespace

Seconds attention_core_time(const AttentionShape& shape,
                            Attention attention,
                            const MatrixUnit& unit,
                            const AttentionConstants& constants,
                            bool hopper) {
    if (unit.measured != nullptr && attention != Attention::unfused)
        if (const auto time = unit.measured->time(shape))
            return *time;
    const double scores = shape.sequences * shape.heads * shape.queries * shape.keys;
    const Flops square{4 * scores * shape.head_dim};
    if (attention == Attention::unfused) {
        const ByteVolume traffic{constants.softmax_traffic * scores * unit.element_bytes};
        const double aligned =
            unit.units > 0 ? std::pow(aligned_head_share, missing_halvings(shape.head_dim)) : 1;
        return square / (unit.rate * constants.unfused_efficiency * aligned) +
               traffic / unit.memory;
    }
    const double share =
        std::min(1.0, constants.flash_efficiency * generation_ratio(attention, hopper));
    const FlopRate products =
        attention == Attention::flash2 ? std::min(unit.rate, hopper_products) : unit.rate;
    return square * (shape.causal ? 0.5 : 1.0) / (products * share);
}

}} // namespace bursar::models
