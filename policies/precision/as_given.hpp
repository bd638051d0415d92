#pragma once

#include <string_view>

#include "policies/precision/format_wish.hpp"

namespace bursar { inline namespace policies {

/// Jobs keep their own format. A model without a specified format gets the best 16-bit format of
/// the GPU; a forbidden format is replaced by the next longer one.
struct AsGiven {
    static constexpr std::string_view name = "as-given";
    static constexpr std::string_view summary =
        "the format of the class or the workload; if none is given: bf16, else fp16";

    [[nodiscard]] static Precision format(const FormatWish& wish) {
        if (!is_forbidden(wish, wish.given))
            return wish.given;
        return first_allowed(wish, {Precision::bf16, Precision::fp16, Precision::tf32});
    }
};

}} // namespace bursar::policies
