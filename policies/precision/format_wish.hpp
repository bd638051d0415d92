#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>

#include "models/gpu/gpu.hpp"

namespace bursar { inline namespace policies {

/// What decides the number format of jobs on a GPU, beside the policy.
struct FormatWish {
    const Gpu& gpu;
    Precision given;                      ///< what they multiply in where no policy says otherwise
    std::span<const Precision> forbidden; ///< what the quality of their results forbids; never fp32
};

[[nodiscard]] inline bool is_forbidden(const FormatWish& wish, Precision format) {
    return std::ranges::find(wish.forbidden, format) != wish.forbidden.end();
}

/// The first of `formats` that the GPU has and nothing forbids; fp32 where there is none.
[[nodiscard]] inline Precision first_allowed(const FormatWish& wish,
                                             std::initializer_list<Precision> formats) {
    const auto* const found = std::ranges::find_if(formats, [&](Precision format) {
        return supports(wish.gpu, format) && !is_forbidden(wish, format);
    });
    return found == formats.end() ? Precision::fp32 : *found;
}

}} // namespace bursar::policies
