#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "policies/describe/option.hpp"
#include "policies/precision/as_given.hpp"
#include "policies/precision/format_wish.hpp"

namespace bursar { inline namespace policies {

/// The first format of the user's list that the GPU has. Precondition: it has one of them
/// (compilation refuses others).
struct FirstSupported {
    static constexpr std::string_view name = "first-supported";
    static constexpr std::string_view summary =
        "the first of `formats` that the GPU multiplies in and the class does not forbid; a class "
        "that forbids all of them: as-given";
    static constexpr OptionInfo options[]{{.name = "formats",
                                           .kind = OptionKind::choice,
                                           .fallback = {static_cast<std::int64_t>(Precision::fp8),
                                                        static_cast<std::int64_t>(Precision::bf16),
                                                        static_cast<std::int64_t>(Precision::fp16)},
                                           .meaning = "formats, most wanted first",
                                           .is_list = true,
                                           .choices = {precision_names[0],
                                                       precision_names[1],
                                                       precision_names[2],
                                                       precision_names[3],
                                                       precision_names[4],
                                                       precision_names[5],
                                                       precision_names[6]}}};

    static_assert(precision_names.size() == 7, "each format is a choice of `formats`");

    std::vector<Precision> formats;

    [[nodiscard]] static FirstSupported from(const PolicyOptions& given) {
        FirstSupported policy;
        for (const std::int64_t format : given.list(options[0]))
            policy.formats.push_back(static_cast<Precision>(format));
        return policy;
    }

    [[nodiscard]] Precision format(const FormatWish& wish) const {
        const auto found = std::ranges::find_if(formats, [&](Precision format) {
            return supports(wish.gpu, format) && !is_forbidden(wish, format);
        });
        return found == formats.end() ? AsGiven::format(wish) : *found;
    }
};

}} // namespace bursar::policies
