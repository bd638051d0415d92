#pragma once

#include <array>
#include <string_view>

#include "policies/precision/as_given.hpp"
#include "policies/precision/format_wish.hpp"

namespace bursar { inline namespace policies {

/// Names by Precision.
inline constexpr std::array<std::string_view, precision_names.size()> fixed_format_summaries{
    "fp32 for every class that names no format: vector units, no tensor cores",
    "tf32 for every class that names no format",
    "fp16 with loss scaling for every class that names no format",
    "bf16 for every class that names no format",
    "fp8 in linear layers for every class that names no format, bf16 in the rest",
    "fp8 with a scale per 32 numbers in linear layers of such classes, bf16 in the rest",
    "4 bits with a scale per 16 numbers in linear layers of such classes, bf16 in the rest"};

/// One format for the whole cluster, except for classes that name or forbid a format.
template <Precision fixed>
struct FixedFormat {
    static constexpr std::string_view name = precision_names[static_cast<std::size_t>(fixed)];
    static constexpr std::string_view summary =
        fixed_format_summaries[static_cast<std::size_t>(fixed)];
    static constexpr Precision cluster_format = fixed;

    [[nodiscard]] static Precision format(const FormatWish& wish) {
        return is_forbidden(wish, fixed) ? AsGiven::format(wish) : fixed;
    }
};

}} // namespace bursar::policies
