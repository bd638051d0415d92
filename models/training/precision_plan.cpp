#include "models/training/precision_plan.hpp"

#include <string>

#include "models/errors/model_error.hpp"

namespace bursar {
namespace {

std::string formats_of(const Gpu& gpu) {
    std::string formats;
    for (std::size_t i = 0; i < precision_names.size(); ++i)
        if (supports(gpu, static_cast<Precision>(i)))
            formats += (formats.empty() ? "" : ", ") + std::string{precision_names[i]};
    return formats;
}

} // namespace

PrecisionPlan plan_precision(const Gpu& gpu, Precision precision) {
    if (!supports(gpu, precision))
        throw ModelError{"precision",
                         gpu.name + " has no " + std::string{name(precision)} + " rate",
                         "one of: " + formats_of(gpu)};
    switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
        return {precision, precision, 4, 0};
    case Precision::fp16:
    case Precision::bf16:
        return {precision, precision, 2, 0};
    case Precision::fp8:
        break;
    }
    return {precision, supports(gpu, Precision::bf16) ? Precision::bf16 : Precision::fp16, 2, 3};
}

} // namespace bursar
