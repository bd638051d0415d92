#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>

#include "models/gpu/gpu.hpp"

namespace bursar { inline namespace policies {

/// Inputs to the choice of a number format on a GPU, besides the policy.
struct FormatWish {
    const Gpu& gpu;
    Precision given;                      ///< their format unless the policy changes it
    std::span<const Precision> forbidden; ///< formats that would harm their results; never fp32
};

[[nodiscard]] inline bool is_forbidden(const FormatWish& wish, Precision format) {
    return std::ranges::find(wish.forbidden, format) != wish.forbidden.end();
}

/// The first of `formats` that the GPU has and that is not forbidden; else fp32.
[[nodiscard]] inline Precision first_allowed(const FormatWish& wish,
                                             std::initializer_list<Precision> formats) {
    const auto* const found = std::ranges::find_if(formats, [&](Precision format) {
        return supports(wish.gpu, format) && !is_forbidden(wish, format);
    });
    return found == formats.end() ? Precision::fp32 : *found;
}

}} // namespace bursar::policies
