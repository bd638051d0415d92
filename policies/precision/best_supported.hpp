#pragma once

#include <string_view>

#include "policies/precision/format_wish.hpp"

namespace bursar { inline namespace policies {

/// The shortest format that the GPU multiplies in: shows what a cluster gains when jobs use its
/// hardware fully. fp16 needs loss scaling; bf16 does not and comes first.
struct BestSupported {
    static constexpr std::string_view name = "best-supported";
    static constexpr std::string_view summary = "fp8 on Hopper and later, bf16 on Ampere, fp16 "
                                                "with loss scaling on Volta and Turing; tf32, "
                                                "else fp32, for classes that forbid those";
    static constexpr std::string_view source =
        "Micikevicius et al. 2018 (ICLR; fp16), Micikevicius et al. 2022 (arXiv:2209.05433; fp8)";

    [[nodiscard]] static Precision format(const FormatWish& wish) {
        return first_allowed(wish,
                             {Precision::fp8, Precision::bf16, Precision::fp16, Precision::tf32});
    }
};

}} // namespace bursar::policies
