#pragma once

#include <string_view>

#include "policies/precision/format_wish.hpp"

namespace bursar { inline namespace policies {

/// Nobody changes the format that a job has. A model of which no format is said has the GPU's best
/// of 16 bits; one that is forbidden gives way to the next longer one.
struct AsGiven {
    static constexpr std::string_view name = "as-given";
    static constexpr std::string_view summary =
        "what the class or the workload says; a model of which nothing is said: bf16, else fp16";

    [[nodiscard]] static Precision format(const FormatWish& wish) {
        if (!is_forbidden(wish, wish.given))
            return wish.given;
        return first_allowed(wish, {Precision::bf16, Precision::fp16, Precision::tf32});
    }
};

}} // namespace bursar::policies
