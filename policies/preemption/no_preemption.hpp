#pragma once

#include <string_view>

namespace bursar {

/// Who runs, runs to its end.
struct NoPreemption {
    static constexpr std::string_view name = "none";
    static constexpr std::string_view summary = "who runs is never stopped for another";
};

} // namespace bursar
